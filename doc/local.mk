# SPDX-License-Identifier: GPL-2.0-or-later
dist_man_MANS += doc/spile-vm.1 doc/spile.1 doc/spilerun.8
EXTRA_DIST += doc/build.md doc/compatibility.md doc/design.md doc/parser.md doc/performance.md

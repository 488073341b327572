# SPDX-License-Identifier: GPL-2.0-or-later
# Small programs around spile: what a machine needs, what it is, and the files of one output.
dist_bin_SCRIPTS += tools/spile-merge tools/spile-prep tools/spile-report

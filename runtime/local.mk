# SPDX-License-Identifier: GPL-2.0-or-later
# All that is in this folder is installed and distributed: see DATA_FOLDERS in the top Makefile.am.

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the loader would refuse when the module is built: the target of -c and -x, the file of -o; a kernel that takes no module, or none of this
 * user.  It is the loader that decides, since things may change meanwhile; this is for a mistake that is seen before the work.  In a guest only the
 * file of -o is of this machine.
 */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <linux/capability.h>

#include "base/command.h"
#include "base/file.h"
#include "base/paths.h"
#include "translator/pipeline.h"

static const struct loc nowhere;

static void check_command(struct session *s)
{
	const char *const *argv = command_argv(&s->arena, s->opt.cmd);
	const char *why = NULL;

	if (!argv[0])
		s_error(s, nowhere, E_USAGE, "-c: the command is empty");
	else if (!command_program(&s->arena, argv[0], &why))
		s_error(s, nowhere, E_USAGE, "-c: cannot run \"%s\": %s", argv[0], why);
}

/* A file is there and can be written, or can be made. */
static void check_output(struct session *s, const char *path)
{
	char *folder = arena_strdup(&s->arena, path), *slash = strrchr(folder, '/');
	int rc = access(path, W_OK), e = errno;
	struct stat st;

	if (!rc && !stat(path, &st) && S_ISDIR(st.st_mode)) {
		rc = -1;
		e = EISDIR;
	} else if (rc && e == ENOENT) {
		slash ? (void)(slash[slash == folder] = 0) : (void)strcpy(folder, ".");
		rc = access(folder, W_OK | X_OK);
		e = errno;
	}
	if (rc)
		s_error(s, nowhere, E_IO, "cannot write %s: %s", path, strerror(e));
}

int run_check(struct session *s)
{
	const struct options *o = &s->opt;

	if (o->last_pass < 5 || o->list || o->dump)
		return 0;
	if (o->cmd && !o->vm)
		check_command(s);
	if (o->target_pid && !o->vm && kill(o->target_pid, 0) && errno == ESRCH)
		s_error(s, nowhere, E_USAGE, "-x %d: there is no such process", o->target_pid);
	if (o->output)
		check_output(s, o->rotation ? arena_printf(&s->arena, "%s.0", o->output) : o->output);
	return s->diags.errors ? -1 : 0;
}

/* Of a file with rights of its own nothing is known before it runs. */
static bool has_rights(const char *loader)
{
	struct stat st;

	return !loader || stat(loader, &st) || st.st_mode & S_ISUID || getxattr(loader, "security.capability", NULL, 0) > 0;
}

static bool may_load(void)
{
	struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3] = {0};

	return !geteuid() || syscall(SYS_capget, &head, sets) || sets[0].effective & 1u << CAP_SYS_MODULE;
}

/* A few system calls. */
static const char *no_modules(struct session *s)
{
	const char *disabled = file_read(&s->arena, "/proc/sys/kernel/modules_disabled", NULL);

	if (access("/proc/modules", F_OK) && errno == ENOENT && !access("/proc/self/stat", F_OK))
		return "this kernel was built without loadable modules";
	if (disabled && disabled[0] == '1')
		return "loading them was disabled until the next boot (sysctl kernel.modules_disabled)";
	return may_load() ? NULL : "only root may load them: use sudo";
}

int run_check_kernel(struct session *s)
{
	const char *why = s->opt.last_pass < 5 || s->opt.vm || has_rights(paths_helper("spilerun")) ? NULL : no_modules(s);

	if (!why)
		return 0;
	diag_hint(&s->diags, s_error(s, nowhere, E_NO_MODULES, "no module can be loaded: %s", why),
		  "--vm runs the script in a throwaway guest instead");
	return -1;
}

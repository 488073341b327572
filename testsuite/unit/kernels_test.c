// SPDX-License-Identifier: GPL-2.0-or-later
/* Installed kernels, made up in a temporary folder. */
#include <sys/utsname.h>

#include "base/file.h"
#include "base/kernels.h"
#include "testsuite/unit/unit.h"

static struct arena arena;
static char top[] = "/tmp/spile-kernels-test-XXXXXX";

static void modules(const char *root, const char *release)
{
	CHECK_EQ(file_make_folder(arena_printf(&arena, "%s/%s/lib/modules/%s", top, root, release), 0700), 0);
}

static void image(const char *root, const char *release)
{
	CHECK_EQ(file_make_folder(arena_printf(&arena, "%s/%s/boot", top, root), 0700), 0);
	CHECK_EQ(file_write(arena_printf(&arena, "%s/%s/boot/vmlinuz-%s", top, root, release), "", 0), 0);
}

static const char *installed(const char *first, const char *second)
{
	const char *const roots[] = {arena_printf(&arena, "%s/%s", top, first),
				     second ? arena_printf(&arena, "%s/%s", top, second) : NULL, NULL};
	const char *const *all, *text = "";
	size_t n = kernels_installed(&arena, roots, &all);

	for (size_t i = 0; i < n; i++)
		text = arena_printf(&arena, "%s%s ", text, all[i]);
	return text;
}

static void test_images_and_modules_are_told_once_and_oldest_first(void)
{
	modules("a", "6.12.1-amd64");
	image("a", "6.12.1-amd64");
	modules("a", "6.9.0-amd64");
	image("a", "6.1.0-amd64");
	image("a", "old"); /* no release */
	modules("a", ".hidden.1");
	modules("b", "5.10.0-amd64");
	modules("b", "6.9.0-amd64");
	CHECK_STR(installed("a", NULL), "6.1.0-amd64 6.9.0-amd64 6.12.1-amd64 ");
	CHECK_STR(installed("a", "b"), "5.10.0-amd64 6.1.0-amd64 6.9.0-amd64 6.12.1-amd64 ");
	CHECK_STR(installed("none", NULL), "");
}

static void test_releases_are_ordered_as_people_do(void)
{
	static const char *const order[] = {"6.1-rc1", "6.1.1", "6.1.0-9-amd64", "6.9", "6.12", "6.12.1"};

	CHECK(kernels_compare(order[0], order[1]) < 0);
	for (size_t i = 2; i + 1 < sizeof order / sizeof *order; i++)
		CHECK(kernels_compare(order[i], order[i + 1]) < 0 && kernels_compare(order[i + 1], order[i]) > 0);
	CHECK_EQ(kernels_compare("6.1", "6.1"), 0);
}

static bool is_not(void *what, const char *release)
{
	return !strstr(release, what);
}

static void test_the_default_fits_then_runs_then_is_ordinary_then_new(void)
{
	struct utsname u;

	uname(&u);
	const char *const all[] = {"1.1-amd64", u.release, "1.2-amd64", "1.3-rt-amd64", "1.4-cloud-amd64", "1.5-new"};

	CHECK_STR(kernels_default(all, 6, is_not, "none"), u.release);
	CHECK_STR(kernels_default(all, 6, is_not, u.release), "1.5-new");
	CHECK_STR(kernels_default(all + 2, 3, is_not, "none"), "1.2-amd64");
	CHECK_STR(kernels_default(all + 2, 3, is_not, "1.2"), "1.4-cloud-amd64");
	CHECK_STR(kernels_default(all + 3, 2, is_not, "1."), "1.4-cloud-amd64"); /* none fits */
	CHECK_STR(kernels_default(all, 0, is_not, ""), NULL);
}

static void test_a_kernel_like_a_name_is_an_ordinary_one(void)
{
	static const char *const all[] = {"6.1.0-56-amd64", "6.1.0-56-rt-amd64", "6.12.117+deb12-amd64", "6.12.117+deb12-rt-amd64"};

	CHECK_STR(kernels_like(all, 4, "6.99"), "6.12.117+deb12-amd64");
	CHECK_STR(kernels_like(all, 4, "6.99-rt"), "6.12.117+deb12-rt-amd64");
	CHECK_STR(kernels_like(all, 4, "6.1.0-9-amd64"), "6.1.0-56-amd64");
	CHECK_STR(kernels_like(all + 3, 1, "6.99"), "6.12.117+deb12-rt-amd64"); /* there is no other */
	CHECK_STR(kernels_like(all, 4, "mine"), NULL);
	CHECK_STR(kernels_like(all, 0, "6.99"), NULL);
}

static void test_the_payload_of_an_image_is_inside_it(void)
{
	unsigned char image[4096] = {0};
	const unsigned char *payload;
	size_t n;

	CHECK(!kernels_payload(image, sizeof image, &payload, &n));
	image[0x1f1] = 1;
	memcpy(image + 0x202, "HdrS", 4);
	image[0x206] = 0x0f;
	image[0x207] = 0x02;
	image[0x248] = 0x10; /* offset */
	image[0x24c] = 0x20; /* length */
	CHECK(kernels_payload(image, sizeof image, &payload, &n));
	CHECK_EQ(payload - image, 1024 + 0x10);
	CHECK_EQ(n, 0x20);
	image[0x207] = 0x01; /* older protocols do not say */
	CHECK(!kernels_payload(image, sizeof image, &payload, &n));
	image[0x207] = 0x02;
	image[0x24f] = 0xff;
	CHECK(!kernels_payload(image, sizeof image, &payload, &n));
	CHECK(!kernels_payload(image, 0x24f, &payload, &n));
}

int main(int argc, char **argv)
{
	int rc;

	unit_init(argc, argv);
	if (!mkdtemp(top))
		return 1;
	UNIT_RUN(test_images_and_modules_are_told_once_and_oldest_first);
	UNIT_RUN(test_releases_are_ordered_as_people_do);
	UNIT_RUN(test_the_default_fits_then_runs_then_is_ordinary_then_new);
	UNIT_RUN(test_a_kernel_like_a_name_is_an_ordinary_one);
	UNIT_RUN(test_the_payload_of_an_image_is_inside_it);
	rc = unit_done();
	file_remove_tree(top);
	arena_free(&arena);
	return rc;
}

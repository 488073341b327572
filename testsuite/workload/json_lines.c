// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads output of --format=json from stdin.  Prints what the script printed, byte for byte, to stdout, and objects that are neither lines
 * nor stacks, unchanged, to stderr.  Exit status 1 with a message: something is not JSON, has no type, or follows the end.
 */
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char set[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static void wrong(const char *what, const char *line)
{
	fprintf(stderr, "%s: %s\n", what, line);
	exit(1);
}

static void put_base64(const char *p)
{
	for (; *p; p += 4) {
		unsigned v = 0, n = p[2] == '=' ? 1 : p[3] == '=' ? 2 : 3;

		for (unsigned i = 0; i < 4; i++)
			v = v << 6 | (p[i] == '=' ? 0 : (unsigned)(strchr(set, p[i]) - set));
		for (unsigned i = 0; i < n; i++)
			putchar((int)(v >> (16 - 8 * i) & 255));
	}
}

static void put_text(struct json_object *o)
{
	struct json_object *text = json_object_object_get(o, "text"), *newline = json_object_object_get(o, "newline");

	if (json_object_is_type(text, json_type_object))
		put_base64(json_object_get_string(json_object_object_get(text, "base64")));
	else
		fwrite(json_object_get_string(text), 1, (size_t)json_object_get_string_len(text), stdout);
	if (!newline)
		putchar('\n');
}

static const char *member(struct json_object *o, const char *name)
{
	return json_object_get_string(json_object_object_get(o, name));
}

static unsigned long long number(struct json_object *o, const char *name)
{
	return json_object_get_uint64(json_object_object_get(o, name));
}

static void put_stack(struct json_object *o)
{
	struct json_object *frames = json_object_object_get(o, "frames");

	for (size_t i = 0; i < json_object_array_length(frames); i++) {
		struct json_object *f = json_object_array_get_idx(frames, i);

		if (member(f, "name"))
			printf(" %s : %s+0x%llx/0x%llx [%s]\n", member(f, "address"), member(f, "name"), number(f, "offset"), number(f, "size"),
			       member(f, "module"));
		else
			printf(" %s : %s [kernel]\n", member(f, "address"), member(f, "address"));
	}
}

static struct json_object *parse(char *line)
{
	struct json_tokener *t = json_tokener_new();
	struct json_object *o;

	line[strcspn(line, "\n")] = 0; /* a NUL in the line would not be JSON */
	json_tokener_set_flags(t, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
	o = json_tokener_parse_ex(t, line, -1);
	if (!o || json_tokener_get_error(t) != json_tokener_success)
		wrong("no JSON", line);
	json_tokener_free(t);
	return o;
}

int main(void)
{
	char *line = NULL;
	size_t cap = 0;
	int ended = 0;

	while (getline(&line, &cap, stdin) > 0) {
		struct json_object *o = parse(line);
		const char *type = json_object_get_string(json_object_object_get(o, "type"));

		if (!type || ended)
			wrong(ended ? "behind the end" : "no type", line);
		ended = !strcmp(type, "end");
		if (!strcmp(type, "line"))
			put_text(o);
		else if (!strcmp(type, "stack"))
			put_stack(o);
		else
			fprintf(stderr, "%s\n", line);
		json_object_put(o);
	}
	free(line);
	return 0;
}

# Strings of others that an example prints as they are, by which a name with a newline makes up a line: each %s of a printf whose argument
# can have control characters must be %#s.  Texts in the script, functions whose results have none, and what is made of these alone need it not.
# A comment of the script that begins with "As they are: NAME, NAME" says which variables it has made safe in another way.
# Use: perl raw-strings.pl [--fix] SCRIPT...; --fix puts the # there.
use strict;
use warnings;

my $fix = @ARGV && $ARGV[0] eq "--fix" ? shift : 0;
my $text; # of the script that is looked at
my %known; # what is known of its variables and functions

my $safe = qr/^(?:ppfunc|pp|pn|probefunc|tz_ctime|ctime|errno_str|errno_p|signal_str|ip_ntop|inet_get_ip_(?:source|dest)|retstr|argstr|returnstr|
	user_string\w*_quoted|kernel_string_quoted|(?:user|kernel)_buffer_quoted|text_strn?|bytes_to_string|pages_to_string|fp_to_string|sa_flags_str|bio_rw_str|sock_\w+2str|
	sock_fam_num2str|sock_type_num2str|tcp_sockstate_str|symname|symdata|client_ip|server_ip|usymname|usymdata|sprint_loadavg|ip_ntop|
	sprint_\w*(?:stack|backtrace|syms)\w*)\b/x;

# All that is assigned to a variable, or that a function returns, is safe.
sub name_is_safe {
	my $name = shift;
	return $known{$name} if defined $known{$name};
	$known{$name} = 1; # what only refers to itself
	my @made;
	while ($text =~ /^(?!#).*?(?<![\w\$@>])\Q$name\E(?:\[[^=]*?\])?\s*\.?=(?![=~])\s*((?:"(?:[^"\\]|\\.)*"|[^;"])*?)(?:;|\n\s|\n\}|\s\}|,\s*\w+\s*=)/gm) { push @made, $1 }
	if ($text =~ /^function \Q$name\E(?::\w+)?\s*\(.*?\)\s*\{?(.*?)^\}/ms or $text =~ /^function \Q$name\E(?::\w+)?\s*\(.*?\)\s*\{(.*)\}$/m) {
		my $body = $1;
		while ($body =~ /\breturn ((?:"(?:[^"\\]|\\.)*"|[^;"])*?)(?:;|\n\s*(?:return|if|\})|\n|\s\}|$)/g) { push @made, $1 }
	}
	my $all = @made > 0;
	for (@made) { $all &&= is_safe($_) }
	return $known{$name} = $all ? 1 : 0;
}

sub is_safe {
	my $a = shift;
	$a =~ s/^\s+|\s+$//g;
	return 1 if $a =~ /^"(?:[^"\\]|\\.)*"$/;
	return 1 if $a =~ /^\$\$(?:parms|return|vars|locals|name)$/;
	return 1 if $a =~ /^(?:stack|s)$/;
	return 1 if $a =~ /^\@\d+$/;
	if ($a =~ /^substr\((.*),[^,]*,[^,]*\)$/s) { return is_safe($1) }
	return 1 if $a =~ /^sprintf\(.*\)$/s; # is looked at by itself
	return is_safe($1) if $a =~ /^\@entry\((.*)\)$/s;
	return 1 if $a eq "";
	my @q = parts($a, qr/\?/);
	if (@q > 1) { # a condition, what it chooses from, and more such
		shift @q;
		while (@q) {
			my @chosen = parts(shift @q, qr/:/);
			pop @chosen if @q;
			for (@chosen) { return 0 unless is_safe($_) }
		}
		return 1;
	}
	my @p = parts($a, qr/\./);
	if (@p > 1) { for (@p) { return 0 unless is_safe($_) } return 1 }
	return is_safe($1) if $a =~ /^\((.*)\)$/s;
	return 1 if $a =~ $safe;
	return $a =~ /^([a-z_]\w*)(?:$|\[.*\]$|\(.*\)$)/s && name_is_safe($1);
}
sub parts { # of an expression, between separators outside parentheses and texts
	my ($t, $sep) = @_; my ($d, $cur, @out) = (0, "");
	while ($t =~ /\G("(?:[^"\\]|\\.)*"|.)/gs) {
		my $c = $1;
		$d++ if $c =~ /^[(\[{]$/; $d-- if $c =~ /^[)\]}]$/;
		if (!$d && $c =~ /^$sep$/) { push @out, $cur; $cur = ""; next }
		$cur .= $c;
	}
	return (@out, $cur);
}
my $bad = 0;
for my $path (@ARGV) {
	open my $f, "<", $path or die; local $/; my $t = <$f>; close $f; my $o = $text = $t; %known = ();
	while ($t =~ /# As they are: ((?:\w+, )*\w+)/g) { $known{$_} = 1 for split /, /, $1 }
	pos($t) = 0;
	my @edits;
	while ($t =~ /\b(s?printf|s?printd?|s?println|s?printdln)\s*\(/g) {
		my ($fn, $from) = ($1, pos $t);
		my $line = 1 + (substr($t, 0, $from) =~ tr/\n//);
		my $ls = rindex($t, "\n", $from) + 1;
		next if substr($t, $ls, 1) eq "#";
		my ($d, $i) = (1, $from);
		while ($d) { pos($t) = $i; $t =~ /\G("(?:[^"\\]|\\.)*"|.)/gs or last; $d++ if $1 eq "("; $d-- if $1 eq ")"; $i = pos $t; }
		my $in = substr($t, $from, $i - $from - 1);
		pos($t) = $from;
		my @a = parts($in, qr/,/);
		if ($fn !~ /f$/) {
			next if $fn =~ /^s/;
			for (@a) { print "$path:$line: $fn($_)\n" and $bad++ unless is_safe($_) || /^\s*(?:\$\d\(|@(?:hist|count|sum|avg|min|max)|\d)/ }
			next;
		}
		my $fmt = shift @a; 
		my $n = 0;
		while ($fmt =~ /%(%|[-+ 0#]*(\*|\d+)?(?:\.(\*|\d+))?([a-zA-Z]))/g) {
			next if $1 eq "%";
			my ($spec, $k, $p) = ($1, $4, pos $fmt);
			$n++ if defined $2 && $2 eq "*"; $n++ if defined $3 && $3 eq "*";
			my $arg = $a[$n++];
			next unless $k eq "s" && $spec !~ /#/;
			next if !defined $arg || is_safe($arg);
			my $at = $from + $p - length($spec); # place after %
			$at++ if $spec =~ /^-/;
			push @edits, $at;
			$arg =~ s/\s+/ /g;
			print "$path:$line: %$spec of$arg\n" unless $fix; $bad++;
		}
	}
	if ($fix && @edits) { substr($o, $_, 0) = "#" for sort { $b <=> $a } @edits; open my $g, ">", $path; print $g $o; close $g }
}
exit($bad && !$fix);

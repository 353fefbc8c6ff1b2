# Listens on 127.0.0.1:PORT inside a sandbox, joins every connection to the runner's socket,
# and becomes the command. perl-base, present on every Debian, has all it needs.
use strict;
use warnings;
use Socket;

my ($port, $path, @command) = @ARGV;

socket(my $listener, PF_INET, SOCK_STREAM, 0) or die "egress: $!";
bind($listener, sockaddr_in($port, INADDR_LOOPBACK)) or die "egress: $!";
listen($listener, 64) or die "egress: $!";

if (fork() // die "egress: $!") {
    close($listener);
    exec { $command[0] } @command or die "cannot run $command[0]: $!\n";
}

# not holding the command's output open, or its end would never be seen
open(STDIN, '<', '/dev/null');
open(STDOUT, '>', '/dev/null');
open(STDERR, '>', '/dev/null');
$SIG{CHLD} = 'IGNORE';
$SIG{PIPE} = 'IGNORE';

while (1) {
    accept(my $client, $listener) or next;
    my $child = fork();
    if (defined $child && $child == 0) {
        close($listener);
        join_to_runner($client);
        exit 0;
    }
    close($client);
}

sub join_to_runner {
    my ($client) = @_;
    socket(my $runner, PF_UNIX, SOCK_STREAM, 0) or return;
    connect($runner, sockaddr_un($path)) or return;
    my %other = (fileno($client) => $runner, fileno($runner) => $client);
    my %open = (fileno($client) => $client, fileno($runner) => $runner);
    while (%open) {
        my $bits = '';
        vec($bits, $_, 1) = 1 for keys %open;
        select($bits, undef, undef, undef) > 0 or next;
        for my $number (grep { vec($bits, $_, 1) } keys %open) {
            my $count = sysread($open{$number}, my $buffer, 65536);
            if ($count) {
                write_all($other{$number}, $buffer) or return;
            } else {
                shutdown($other{$number}, SHUT_WR);
                delete $open{$number};
            }
        }
    }
}

sub write_all {
    my ($to, $buffer) = @_;
    my $offset = 0;
    while ($offset < length $buffer) {
        my $written = syswrite($to, $buffer, length($buffer) - $offset, $offset);
        return 0 unless $written;
        $offset += $written;
    }
    return 1;
}

# Fetches what the tests use but must not be installed. Sourced by ./satchel.

# unpack PACKAGE FOLDER FILE: takes a file out of a package that is not installed.
unpack() {
    local fresh
    say "fetching $1 ..."
    fresh="$(mktemp -d)"
    (cd "$fresh" && apt-get download -qq "$1" >&2)
    mkdir -p "$2"
    dpkg-deb --fsys-tarfile "$fresh"/*.deb | tar -x -C "$2" --wildcards "./$3"
    rm -r "$fresh"
}

# A kernel for the virtual machine in which the tests use version 2 of control groups. Only unpacked: an installed
# kernel would change how this machine boots.
fetch_kernel() {
    local folder="$cache/kernel" package
    compgen -G "$folder/boot/vmlinuz-*" >/dev/null && return
    package="$(apt-cache depends linux-image-cloud-amd64 | sed -n 's/^ *Depends: //p')"
    [[ -n "$package" ]] || fail "apt has no package linux-image-cloud-amd64; run apt-get update"
    unpack "$package" "$folder" 'boot/vmlinuz-*'
}

# Programs of the guides. Only unpacked: installed, each would start a service.
fetch_tools() {
    local folder="$cache/tools" entry file
    for entry in nginx:usr/sbin/nginx prometheus:usr/bin/promtool; do
        file="${entry##*:}"
        [[ -x "/$file" || -x "$folder/$file" ]] || unpack "${entry%%:*}" "$folder" "$file"
    done
}

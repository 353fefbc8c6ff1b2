# Makes a root for sandboxes from Debian packages. Sourced by ./satchel.

# What the commands of agents find; the skills of the project are written for it.
sandbox_packages=ca-certificates,curl,fonts-dejavu-core,git,jq,nodejs,poppler-utils,python3,python3-matplotlib,python3-numpy
sandbox_packages+=,python3-openpyxl,python3-pandas,ripgrep,unzip,zip
# One of two packages that matplotlib's fonttools accepts; the other, scipy, brings compilers and doubles the size.
sandbox_packages+=,python3-munkres

# make_sandbox_root FOLDER [--packages A,B]: from the package sources of this machine.
make_sandbox_root() {
    local folder="" packages="$sandbox_packages"
    while [[ $# -gt 0 ]]; do
        case "$1" in
            --packages)
                [[ $# -gt 1 ]] || fail "--packages needs a list of Debian packages, separated by commas" 2
                packages="$2"
                shift
                ;;
            --packages=*) packages="${1#*=}" ;;
            -*) fail "unknown option: $1" 2 ;;
            *)
                [[ -z "$folder" ]] || fail "sandbox-root makes one folder" 2
                folder="$1"
                ;;
        esac
        shift
    done
    [[ -n "$folder" ]] || fail "sandbox-root needs the folder to make" 2
    folder="$(realpath -m "$folder")"
    [[ ! -e "$folder" ]] || fail "$folder exists already; name a new folder, or remove it first" 2
    require mmdebstrap:mmdebstrap

    local codename file sources=()
    codename="$(. /etc/os-release && echo "$VERSION_CODENAME")"
    for file in /etc/apt/sources.list /etc/apt/sources.list.d/{debian,ubuntu}.sources; do
        [[ -s "$file" ]] && sources+=("$file")
    done
    mkdir -p "${folder%/*}"
    mmdebstrap --quiet --format=directory --variant=essential --include="$packages" \
        --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' \
        --dpkgopt='path-exclude=/usr/share/locale/*' --dpkgopt=force-unsafe-io \
        "$codename" "$folder.new" "${sources[@]}" || {
        rm -rf "$folder.new"
        fail "mmdebstrap could not make $folder"
    }
    chmod 755 "$folder.new"
    mv "$folder.new" "$folder"
    say "made $folder. Start the server with SATCHEL_SANDBOX_ROOT=$folder"
}

# Builds everything that a release publishes. Sourced by ./satchel.

# read_release_options FOLDER [--homepage URL]: URL is the address of the project, which Maven Central requires in a pom.xml.
# Checks what can be refused before the build, which takes minutes.
read_release_options() {
    release_folder="" release_url=""
    while [[ $# -gt 0 ]]; do
        case "$1" in
            --homepage) [[ $# -gt 1 ]] || fail "--homepage needs an address" 2
                release_url="$2" && shift 2 ;;
            -*) fail "unknown option: $1. ./satchel release FOLDER [--homepage URL]" 2 ;;
            *) release_folder="$1" && shift ;;
        esac
    done
    [[ -n "$release_folder" ]] || fail "./satchel release needs a folder to write into" 2
    mkdir -p "$release_folder"
    release_folder="$(realpath "$release_folder")"
    [[ -z "$(ls -A "$release_folder")" ]] || fail "$release_folder is not empty"
    release_version="$(print_version)" && release_version="${release_version#satchel }"
    check_versions "$release_version"
}

build_release() {
    local folder="$release_folder" url="$release_url" version="$release_version"
    say "programs ..." && release_programs "$folder" "$version"
    say "the client for Java ..." && release_java "$folder/maven/dev/satchel/satchel-client/$version" "$version" "$url"
    say "the client for TypeScript ..." && release_typescript "$folder/npm"
    say "the client for Python ..." && release_python "$folder/python"
    say "the image ..." && SATCHEL_VERSION="$version" build_image "$folder/satchel-$version-image.tar"
    say "bills of materials ..." && release_boms "$folder" "$version"
    (cd "$folder" && find . -type f ! -name SHA256SUMS -printf '%P\0' | LC_ALL=C sort -z | xargs -0 sha256sum >SHA256SUMS)
    say "built $(wc -l <"$folder/SHA256SUMS") files in $folder; sign SHA256SUMS and the files as RELEASING.md says"
}

# All parts of a release have the version of pom.xml.
check_versions() {
    local file
    for file in clients/typescript/package.json web/package.json; do
        grep -q "\"version\": \"$1\"" "$root/$file" || fail "$file has another version than $1, that of pom.xml"
    done
    grep -qx "version = \"$1\"" "$root/clients/python/pyproject.toml" ||
        fail "clients/python/pyproject.toml has another version than $1, that of pom.xml"
}

# Each program with its libraries, as one archive, and its sources.
release_programs() {
    local module
    for module in server cli; do
        tar -C "$root" --sort=name --owner=0 --group=0 --numeric-owner --mtime=2026-01-01T00:00:00Z \
            --transform "s,^$module/target,satchel-$module-$2," --transform "s,^[A-Z],satchel-$module-$2/&," \
            -czf "$1/satchel-$module-$2.tar.gz" \
            "$module/target/satchel-$module.jar" "$module/target/lib" LICENSE NOTICE THIRD-PARTY.md
        make_jar "$1/satchel-$module-$2-sources.jar" "$root/$module/src/main/java"
    done
}

# make_jar FILE FOLDER...: with the licence, and the same time in each entry.
make_jar() {
    local folder arguments=()
    for folder in "${@:2}"; do arguments+=(-C "$folder" .); done
    mkdir -p "${1%/*}"
    "$JAVA_HOME/bin/jar" --create --date=2026-01-01T00:00:00Z --file "$1" "${arguments[@]}" \
        -C "$root" LICENSE -C "$root" NOTICE
}

# A folder of a Maven repository: the jar, its sources, its Javadoc, a pom.xml that needs no parent, and their sums.
release_java() {
    local folder="$1" name="$1/satchel-client-$2" work libraries file sum
    work="$(mktemp -d)"
    libraries="$(printf '%s:' "$root"/cli/target/lib/*.jar)"
    make_jar "$name.jar" "$root/client/target/classes"
    make_jar "$name-sources.jar" "$root/client/src/main/java"
    "$JAVA_HOME/bin/javadoc" -quiet -notimestamp --release 17 -Xdoclint:all,-missing -Werror -d "$work" \
        -windowtitle "Satchel client $2" -classpath "$libraries" -sourcepath "$root/client/src/main/java" \
        dev.satchel.client dev.satchel.client.model
    make_jar "$name-javadoc.jar" "$work"
    client_pom "$2" "$3" >"$name.pom"
    rm -r "$work"
    for file in "$folder"/*; do
        for sum in md5 sha1 sha256 sha512; do
            "${sum}sum" "$file" | cut -d ' ' -f 1 >"$file.$sum"
        done
    done
}

# property NAME: a version of pom.xml.
property() { sed -n "s,.*<$1>\(.*\)</$1>.*,\1,p" "$root/pom.xml"; }

client_pom() {
    local about=""
    [[ -z "$2" ]] || about="
  <url>$2</url>
  <developers><developer><name>The Satchel project</name><url>$2</url></developer></developers>
  <scm><url>$2</url><connection>scm:git:$2</connection></scm>"
    cat <<XML
<?xml version="1.0" encoding="UTF-8"?>
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>dev.satchel</groupId>
  <artifactId>satchel-client</artifactId>
  <version>$1</version>
  <name>Satchel client</name>
  <description>Talks to a Satchel server from Java 17 or newer</description>$about
  <licenses>
    <license><name>Apache-2.0</name><url>https://www.apache.org/licenses/LICENSE-2.0</url></license>
  </licenses>
  <dependencies>
    <dependency>
      <groupId>tools.jackson.core</groupId>
      <artifactId>jackson-databind</artifactId>
      <version>$(property jackson.version)</version>
    </dependency>
    <dependency>
      <groupId>org.jspecify</groupId>
      <artifactId>jspecify</artifactId>
      <version>$(property jspecify.version)</version>
    </dependency>
  </dependencies>
</project>
XML
}

release_typescript() {
    local client="$root/clients/typescript" work
    work="$(mktemp -d)"
    mkdir -p "$1"
    cp "$client"/{package.json,package-lock.json,tsconfig.json,README.md} "$root/LICENSE" "$work"
    cp -r "$client/src" "$work"
    (cd "$work" && npm ci --silent --ignore-scripts --no-audit --no-fund && npm run --silent build &&
        npm pack --silent --pack-destination "$1" >/dev/null) || fail "the client for TypeScript was not built"
    rm -r "$work"
}

release_python() {
    mkdir -p "$1"
    python3 "$root/scripts/wheel.py" "$root/clients/python" "$root/LICENSE" "$1"
}

release_boms() {
    local module
    for module in server cli client; do
        cp "$root/$module/target/satchel-$module.cdx.json" "$1/satchel-$module-$2.cdx.json"
    done
    (cd "$root/web" && npm sbom --package-lock-only --sbom-format cyclonedx --omit dev) >"$1/satchel-page-$2.cdx.json" ||
        fail "npm has no bill of materials; it needs npm 10 or newer"
}

#!/bin/sh
# Installs the contents of the image into the folder given as argument: the package of this checkout, and its dependencies in their
# locked versions, without types, source maps and binaries for another C library.
set -eu
mkdir -p "$1"
npm pack --silent --pack-destination "$1" >/dev/null
cp package-lock.json "$1"
cd "$1"
tar -xzf plumbline-*.tgz --strip-components=1
rm plumbline-*.tgz
npm ci --omit=dev --ignore-scripts --no-audit --no-fund
find . -type f \( -name '*.ts' -o -name '*.map' \) -delete
rm -rf node_modules/@libsql/linux-*-musl

# shellcheck shell=bash
# The bootable disk: Debian, kernel and the bundle, in four partitions of a file. Sourced by build_image.sh.
#
#   1  1 MiB    BIOS loader (GRUB's core image)
#   2  48 MiB   UEFI loader (FAT): Debian's signed shim and GRUB, so that Secure Boot may stay on
#   3  system   ext4, never written while the box runs
#   4  data     ext4, /var: library, notes, settings; grows with the disk at the first start
#
# No loop device and no mount is needed: file systems are filled by mke2fs -d and mtools.

# what a box runs beside the program; Python comes with the bundle
PACKAGES=(systemd-sysv udev dbus libpam-systemd kmod iproute2 e2fsprogs initramfs-tools zstd linux-image-amd64)
LOADERS=(grub-common grub-pc-bin grub-efi-amd64-signed shim-signed shim-helpers-amd64-signed
  libdevmapper1.02.1 libefiboot1 libefivar1 libfuse3-3) # the last four for grub-mkimage
MODULES=(biosdisk part_gpt part_msdos ext2 search search_label normal configfile linux serial terminal echo test
  sleep halt reboot all_video minicmd)
SYSTEM_SPARE=160 DATA_SPARE=512 ESP=48 # MiB

make_disk() {
  ROOTFS="$WORK/rootfs"
  step debian make_debian
  step loaders make_loaders "$WORK/.done-debian"
  step system make_system "$WORK/.done-debian" "$BUNDLE/MANIFEST" "$SOURCE/scripts/image/disk.sh" "$ROOT_PASSWORD" "$SETTINGS"
  step image make_image "$WORK/.done-system" "$WORK/.done-loaders"
  tell_disk
}

# Debian without the box, kept for the next time.
make_debian() {
  rm -rf "$WORK/debian"
  quiet "$WORK/debootstrap.log" debootstrap --variant=minbase --arch="$ARCH" "$SUITE" "$WORK/debian" "$MIRROR"
  debian_sources | sed 's/ \[signed-by=[^]]*\]//' >"$WORK/debian/etc/apt/sources.list"
  in_debian apt-get -qq update
  in_debian apt-get -qq --yes upgrade
  in_debian apt-get -qq --yes install --no-install-recommends "${PACKAGES[@]}"
}

in_debian() {
  quiet "$WORK/debian.log" env DEBIAN_FRONTEND=noninteractive LC_ALL=C chroot "$WORK/debian" "$@" </dev/null
}

# The loaders' files, taken out of their packages; they are not installed, for a box has nothing to do with them.
make_loaders() {
  local folder="$WORK/loaders" package
  rm -rf "$folder"
  mkdir -p "$folder/root"
  rm -rf "$WORK/debian/tmp/loaders"
  mkdir "$WORK/debian/tmp/loaders"
  in_debian bash -c 'cd /tmp/loaders && apt-get -qq -o APT::Sandbox::User=root download "$@"' loaders \
    "${LOADERS[@]}"
  for package in "$WORK"/debian/tmp/loaders/*.deb; do dpkg-deb -x "$package" "$folder/root"; done
  rm -rf "$WORK/debian/tmp/loaders"
  cat >"$folder/early.cfg" <<'END'
search --no-floppy --label codes-root --set=root
set prefix=($root)/boot/grub
configfile $prefix/grub.cfg
END
  # grub-mkimage runs with the libraries of that Debian, for the builder may be another system
  cp -r "$folder" "$WORK/debian/tmp/loaders"
  in_debian bash -c 'cd /tmp/loaders && export LD_LIBRARY_PATH=root/lib/x86_64-linux-gnu:root/usr/lib/x86_64-linux-gnu
    root/usr/bin/grub-mkimage -d root/usr/lib/grub/i386-pc -O i386-pc -p /boot/grub \
    -c early.cfg -o core.img "$@"' loaders "${MODULES[@]}"
  cp "$WORK/debian/tmp/loaders/core.img" "$folder/"
  rm -rf "$WORK/debian/tmp/loaders"
}

make_system() {
  rm -rf "$ROOTFS"
  cp -a --reflink=auto "$WORK/debian" "$ROOTFS"
  local image="$SOURCE/packaging/image"
  # settings lie with the data: the system is not written
  rm -rf "$ROOTFS/etc/codes"
  mkdir -p "$ROOTFS/var/lib/codes.settings"
  ln -s /var/lib/codes.settings "$ROOTFS/etc/codes"
  "$BUNDLE/install.sh" --root "$ROOTFS" --first-boot --name auto --no-start >"$WORK/install.log" 2>&1 ||
    { tail -n 25 "$WORK/install.log" >&2; die "The bundle was not installed into the image."; }
  install -D -m 644 -t "$ROOTFS/etc/systemd/network" "$image"/network/*
  install -D -m 644 -t "$ROOTFS/etc/repart.d" "$image"/repart.d/*
  install -D -m 644 "$image/repart.conf" "$ROOTFS/etc/systemd/system/systemd-repart.service.d/first.conf"
  install -D -m 644 "$image/journald.conf" "$ROOTFS/etc/systemd/journald.conf.d/codes.conf"
  install -D -m 644 "$image/system.conf" "$ROOTFS/etc/systemd/system.conf.d/codes.conf"
  install -D -m 644 "$image/grub.cfg" "$ROOTFS/boot/grub/grub.cfg"
  install -m 644 "$image/fstab" "$ROOTFS/etc/fstab"
  echo codes >"$ROOTFS/etc/hostname"
  printf '127.0.0.1 localhost codes\n::1 localhost\n' >"$ROOTFS/etc/hosts"
  echo LANG=C.UTF-8 >"$ROOTFS/etc/default/locale"
  : >"$ROOTFS/etc/machine-id" # of its own for each box, at each start
  : >"$ROOTFS/etc/resolv.conf" # a box asks nobody for names
  in_system systemctl --quiet enable systemd-networkd.service codes-console@tty1.service codes-console@ttyS0.service
  in_system systemctl --quiet mask getty@tty1.service serial-getty@ttyS0.service apt-daily.timer \
    apt-daily-upgrade.timer dpkg-db-backup.timer systemd-networkd-wait-online.service e2scrub_all.timer fstrim.timer
  [ -z "$SETTINGS" ] || install -D -m 644 "$SETTINGS" "$ROOTFS/usr/share/codes/settings.toml"
  [ -z "$ROOT_PASSWORD" ] || usermod --root "$ROOTFS" --password "$(cat "$ROOT_PASSWORD")" root
  slim
}

in_system() { chroot "$ROOTFS" "$@"; }

# What no box reads; licences stay.
slim() {
  find "$ROOTFS/usr/share/doc" ! -type d ! -name copyright -delete
  rm -rf "$ROOTFS"/usr/share/{man,info,lintian,locale,bug} "$ROOTFS"/var/lib/apt/lists/* \
    "$ROOTFS"/var/cache/apt/*.bin "$ROOTFS"/var/cache/apt/archives/*.deb "$ROOTFS"/var/log/*.log \
    "$ROOTFS"/var/log/apt "$ROOTFS"/var/cache/debconf/*-old "$ROOTFS"/var/tmp/* "$ROOTFS/debootstrap"
}

make_image() {
  local parts="$WORK/parts" system data end
  rm -rf "$parts" "$DISK" "$DISK.zst"
  mkdir -p "$parts/empty"
  mkdir -p "$parts/system"
  data=$(($(du -sm "$ROOTFS/var" | cut -f1) + $(size_of "$BUNDLE/factory") * 3 + DATA_SPARE))
  filesystem "$parts/data.ext4" codes-data "$data" "$ROOTFS/var"
  mv "$ROOTFS/var" "$parts/var" && mkdir "$ROOTFS/var"
  system=$(($(du -sm "$ROOTFS" | cut -f1) * 105 / 100 + SYSTEM_SPARE))
  filesystem "$parts/system.ext4" codes-root "$system" "$ROOTFS"
  rmdir "$ROOTFS/var" && mv "$parts/var" "$ROOTFS/var"
  efi_partition "$parts/esp.fat"
  end=$((2 + ESP + system + data + 1)) # MiB: what lies before partitions, them, the second table
  truncate -s "${end}M" "$DISK.next"
  partition "$DISK.next" "$system" "$data"
  put_at "$DISK.next" 2 "$parts/esp.fat"
  put_at "$DISK.next" $((2 + ESP)) "$parts/system.ext4"
  put_at "$DISK.next" $((2 + ESP + system)) "$parts/data.ext4"
  "$WORK/python/bin/python" "$SOURCE/scripts/image/bios.py" "$DISK.next" \
    "$WORK/loaders/root/usr/lib/grub/i386-pc/boot.img" "$WORK/loaders/core.img" --sector 2048
  mv "$DISK.next" "$DISK"
  quiet "$WORK/zstd.log" zstd --quiet -T0 -9 --force "$DISK" -o "$DISK.zst"
  rm -rf "$parts"
}

filesystem() { # FILE LABEL MIB FOLDER
  quiet "$WORK/mke2fs.log" mke2fs -q -F -t ext4 -L "$2" -m 1 -b 4096 -E lazy_itable_init=0,lazy_journal_init=0 \
    -d "$4" "$1" "${3}M"
}

efi_partition() {
  local from="$WORK/loaders/root/usr/lib"
  truncate -s "${ESP}M" "$1"
  quiet "$WORK/vfat.log" mkfs.vfat -F 32 -n CODES-EFI "$1"
  mmd -i "$1" ::/EFI ::/EFI/BOOT ::/EFI/debian
  mcopy -i "$1" "$from/shim/shimx64.efi.signed" ::/EFI/BOOT/BOOTX64.EFI
  mcopy -i "$1" "$from/shim/mmx64.efi.signed" ::/EFI/BOOT/mmx64.efi
  mcopy -i "$1" "$from/grub/x86_64-efi-signed/grubx64.efi.signed" ::/EFI/BOOT/grubx64.efi
  mcopy -i "$1" "$WORK/loaders/early.cfg" ::/EFI/debian/grub.cfg
}

partition() { # FILE SYSTEM-MIB DATA-MIB
  quiet "$WORK/sfdisk.log" sfdisk --quiet "$1" <<END
label: gpt
start=1MiB, size=1MiB, type=21686148-6449-6E6F-744E-656564454649, name=codes-bios
start=2MiB, size=${ESP}MiB, type=C12A7328-F81F-11D2-BA4B-00A0C93EC93B, name=codes-efi
start=$((2 + ESP))MiB, size=${2}MiB, type=4F68BCE3-E8CD-4DB1-96E7-FBCAF984B709, name=codes-root
start=$((2 + ESP + $2))MiB, size=${3}MiB, type=4D21B016-B534-45C2-A9FB-5C16E091FD2D, name=codes-data
END
}

put_at() { # FILE MIB CONTENT
  dd if="$3" of="$1" bs=1M seek="$2" conv=notrunc,sparse status=none
}

tell_disk() {
  printf '%8s MiB  %s\n' "$(size_of "$DISK")" "$DISK" "$(size_of "$DISK.zst")" "$DISK.zst"
  (cd "$TO" && sha256sum "$(basename "$DISK")" "$(basename "$DISK").zst" | tee "$DISK.sha256")
}

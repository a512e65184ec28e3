/** Whether SQLite can trust a file system with its locks (spec 1-core, `sqlite-storage/v1`). */
export type FilesystemPosture = "supported-local" | "known-unsafe" | "unknown" | "not-applicable"

/** Why a file system got its posture. */
export type FilesystemReason =
  | "local-filesystem"
  | "network-filesystem"
  | "shared-folder"
  | "unrecognized-filesystem"
  | "not-detected"
  | "in-memory-database"

/** What is thought of a file system. */
export interface Judgement {
  readonly filesystemPosture: FilesystemPosture
  readonly reasonCode: FilesystemReason
}

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

/** Disks of this machine, its memory, and the layers of containers over them. */
const local = words(`
  apfs bcachefs btrfs exfat ext2 ext3 ext4 f2fs hfs jfs msdos nilfs2 ntfs ntfs3 overlay overlayfs ramfs refs reiserfs
  rootfs tmpfs ufs vfat xfs zfs
`)

/** File systems that another machine has too: their locks and their shared memory do not hold between machines. */
const network = words(`
  9p afpfs afs beegfs ceph cifs coda davfs fuse.ceph fuse.curlftpfs fuse.davfs fuse.gcsfuse fuse.glusterfs fuse.goofys
  fuse.juicefs fuse.rclone fuse.s3fs fuse.sshfs gfs gfs2 glusterfs gpfs lustre ncpfs nfs nfs4 ocfs2 orangefs pvfs2 smb
  smb2 smb3 smbfs webdav
`)

/** Folders that a virtual machine shares with its host. */
const shared = words("drvfs fuse.grpcfuse fuse.osxfs fuse.vmhgfs-fuse hgfs osxfs prl_fs vboxsf vmhgfs")

/** What is thought of a type of file system, as the system names it. What nobody knows is not trusted, nor refused. */
export const judge = (type: string): Judgement => {
  if (local.has(type)) return { filesystemPosture: "supported-local", reasonCode: "local-filesystem" }
  if (network.has(type)) return { filesystemPosture: "known-unsafe", reasonCode: "network-filesystem" }
  if (shared.has(type)) return { filesystemPosture: "known-unsafe", reasonCode: "shared-folder" }
  return { filesystemPosture: "unknown", reasonCode: "unrecognized-filesystem" }
}

/** A mounted file system. */
export interface Mount {
  readonly at: string
  readonly type: string
}

/** The mount that a path lies in: the deepest one, and of those at one place the last. */
export const mountOf = (mounts: ReadonlyArray<Mount>, path: string): Mount | undefined => {
  let found: Mount | undefined
  for (const mount of mounts) {
    const holds = mount.at === "/" || path === mount.at || path.startsWith(`${mount.at}/`)
    if (holds && (found === undefined || mount.at.length >= found.at.length)) found = mount
  }
  return found
}

/** Reads `/proc/self/mountinfo`: the place is the fifth field, the type the first after the lone hyphen. */
export const parseMountinfo = (text: string): ReadonlyArray<Mount> =>
  text.split("\n").flatMap((line) => {
    const fields = line.split(" ")
    const hyphen = fields.indexOf("-", 6)
    const [at, type] = [fields[4], fields[hyphen + 1]]
    return hyphen < 0 || at === undefined || type === undefined ? [] : [{ at: unescaped(at), type }]
  })

/** A blank, a tab, a line end or a backslash in a place is written as three octal digits. */
const unescaped = (text: string): string =>
  text.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)))

/** Reads what `mount` says on macOS and BSD: `/dev/disk3s5 on /System/Volumes/Data (apfs, local, journaled)`. */
export const parseMountCommand = (text: string): ReadonlyArray<Mount> =>
  text.split("\n").flatMap((line) => {
    const [, at, type] = /^.* on (\/.*) \((\w+)[,)]/.exec(line) ?? []
    return at === undefined || type === undefined ? [] : [{ at, type }]
  })

/** The numbers that Linux gives file systems (`man 2 statfs`), for machines that show no mounts. */
const magic: Readonly<Record<number, string>> = {
  16914836: "tmpfs",
  16914839: "9p",
  12805120: "ceph",
  18225520: "gfs2",
  198183888: "lustre",
  538032816: "exfat",
  801189825: "zfs",
  19780: "vfat",
  20859: "smb",
  1397113167: "afs",
  1397118030: "ntfs",
  22092: "ncpfs",
  1481003842: "xfs",
  1702057286: "fuse",
  26985: "nfs",
  1799439955: "afs",
  1936094318: "ntfs3",
  1952539503: "ocfs2",
  2020557398: "vboxsf",
  2035054128: "overlay",
  2240043254: "ramfs",
  2435016766: "btrfs",
  61267: "ext4",
  4076150800: "f2fs",
  4266872130: "smb2",
  4283649346: "cifs"
}

/** The type behind a number of `statfs`, on Linux; undefined for one that is not known. */
export const typeOfMagic = (number: number): string | undefined => magic[number >>> 0]

import type { StoredFile } from '../../../contracts/files'
import type { FilesTable } from '../../../platform/files/tables'

export function presentFile(row: Pick<FilesTable, 'gid' | 'media_type' | 'bytes' | 'name'>): StoredFile {
  return { gid: row.gid, url: `/files/${row.gid}`, media_type: row.media_type, bytes: row.bytes, name: row.name }
}

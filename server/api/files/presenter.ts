import type { FilesTable } from '../../storage/tables'
import type { StoredFile } from './contract'

export function presentFile(row: Pick<FilesTable, 'gid' | 'media_type' | 'bytes' | 'name'>): StoredFile {
  return { gid: row.gid, url: `/files/${row.gid}`, media_type: row.media_type, bytes: row.bytes, name: row.name }
}

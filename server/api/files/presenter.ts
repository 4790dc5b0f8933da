import type { FilesTable } from '../../storage/tables'
import type { StoredImage } from './contract'

export function presentFile(row: Pick<FilesTable, 'gid' | 'media_type' | 'bytes' | 'name'>): StoredImage {
  return { gid: row.gid, url: `/files/${row.gid}`, media_type: row.media_type, bytes: row.bytes, name: row.name }
}

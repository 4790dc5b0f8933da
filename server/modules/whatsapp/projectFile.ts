import { buffer } from 'node:stream/consumers'
import type { ProjectDb } from '../../platform/database/database'
import { fieldError } from '../../platform/errors'
import type { FileStore } from '../../platform/files/files'
import type { GraphFile } from './graph'

/**
 * A file of the project, to be given to WhatsApp.
 * @param at the form's field, and what WhatsApp takes there
 * @throws ApiError invalid, at the field, for one that is not there, of another type, or too large
 */
export async function projectFile(
  db: ProjectDb,
  files: Pick<FileStore, 'read'>,
  gid: string,
  at: { field: string; types: readonly string[]; most: number; wanted: string },
): Promise<GraphFile> {
  const file = await db
    .selectFrom('files')
    .select(['project_id', 'sha256', 'media_type', 'bytes', 'name'])
    .where('gid', '=', gid)
    .executeTakeFirst()
  if (!file) throw fieldError(at.field, 'This file is not in the project. Upload it again')
  if (!at.types.includes(file.media_type) || Number(file.bytes) > at.most) throw fieldError(at.field, at.wanted)
  const stream = await files.read(file.project_id, file.sha256)
  if (!stream) throw fieldError(at.field, 'This file is not in the project. Upload it again')
  return { name: file.name || gid, type: file.media_type, bytes: await buffer(stream) }
}

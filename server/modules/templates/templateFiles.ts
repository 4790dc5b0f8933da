/// <reference types="vite/types/importMeta.d.ts" />
import { createHash } from 'node:crypto'
import { basename } from 'node:path'

/** An image, video or sound of a template. */
export interface TemplateFile {
  name: string
  media_type: string
  bytes: Buffer
  sha256: string
}

/** Bundled, so that a template needs no other site. */
const bundled = import.meta.glob<string>('./*/*.{jpg,mp4,wav}', { query: '?inline', import: 'default', eager: true })

const TYPES: Record<string, string> = { jpg: 'image/jpeg', mp4: 'video/mp4', wav: 'audio/wav' }

/**
 * By the id in their address `/files/<id>`: the first sixteen characters of their SHA-256, so that an address always
 * means the same bytes. They belong to no project and exist in every installation: flows made from a template keep them
 * when copied or exported.
 */
export const templateFiles: ReadonlyMap<string, TemplateFile> = new Map(
  Object.entries(bundled).map(([path, data]) => {
    const bytes = Buffer.from(data.slice(data.indexOf(',') + 1), 'base64')
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    return [sha256.slice(0, 16), { name: basename(path), media_type: typeOf(path), bytes, sha256 }]
  }),
)

function typeOf(path: string): string {
  const type = TYPES[path.slice(path.lastIndexOf('.') + 1)]
  if (type === undefined) throw new Error(`Files of this kind are not served: ${path}`)
  return type
}

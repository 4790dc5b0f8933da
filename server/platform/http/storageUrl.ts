import type { Config } from '../config/config'
import { chatUrlOf } from './chatOrigin'

export type StorageBases = Pick<Config, 'publicUrl' | 'chatUrl' | 'cdnUrl'>

/**
 * SPEC.md 7: kinds of storage. 2 is public storage, this server's own; `cdn_2` the same by a content delivery network.
 */
export type StorageKind = 2 | 'cdn_2'

/**
 * The address of a stored file. Bytes never change under an address (`/files/<id>`), so that a network in front of this
 * server may keep them for good.
 * @param path of this installation, as flows and settings have it
 */
export const storageUrl = (bases: StorageBases, kind: StorageKind, path: string): string =>
  (kind === 'cdn_2' ? (bases.cdnUrl ?? chatUrlOf(bases)) : chatUrlOf(bases)) + path

/** An upload's path, alone: what visitors sent stands elsewhere, for whoever holds its key. */
const UPLOAD = /^\/files\/[a-z0-9]{16}$/

/** What visitors are sent, with the uploads in it on the CDN; the same where there is none. @param bases null: none */
export function onCdn<Content>(bases: StorageBases | null, content: Content): Content {
  if (bases === null || bases.cdnUrl === null) return content
  return JSON.parse(
    JSON.stringify(content, (key, value: unknown) =>
      typeof value === 'string' && key !== 'text' && UPLOAD.test(value) ? storageUrl(bases, 'cdn_2', value) : value,
    ),
  ) as Content
}

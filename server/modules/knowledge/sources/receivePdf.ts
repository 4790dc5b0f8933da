import type { FastifyRequest } from 'fastify'
import { sourceCaps } from '../../../contracts/sources'
import { ApiError } from '../../../platform/errors'
import type { FileStore, StoredFile } from '../../../platform/files/files'
import { readBody } from '../../../platform/http/fileBody'

/** Readers accept the signature within this many bytes: some programs write something before it. */
const HEAD = 1_024

/**
 * Receives and stores a PDF. A file of another type, or a declared size above the cap, is refused before it is read; an
 * undeclared one at the cap.
 * @throws ApiError `unsupported_type`, `too_large`, `malformed`, `storage_full`
 */
export async function receivePdf(
  store: FileStore,
  area: string,
  body: AsyncIterable<Uint8Array>,
  request: Pick<FastifyRequest, 'headers'>,
): Promise<StoredFile> {
  if (Number(request.headers['content-length'] ?? 0) > sourceCaps.document) throw tooLarge()
  const opened = await readBody(body, { head: HEAD, cap: sourceCaps.document, tooLarge })
  const head = Buffer.from(opened.head).toString('latin1', 0, HEAD)
  if (!head.includes('%PDF-')) {
    opened.drop()
    throw new ApiError('unsupported_type', { message: `This file is ${whatItIs(head)}. Documents must be PDF files.` })
  }
  return store.put(area, opened.bytes)
}

const tooLarge = () =>
  new ApiError('too_large', {
    message: `This file is larger than ${sourceCaps.document / 1_000_000} MB. Split it or make it smaller.`,
  })

const others: readonly [string, readonly string[]][] = [
  ['an archive (ZIP) or an Office file, whatever its name says', ['PK']],
  ['an old Office file', ['\xd0\xcf\x11\xe0']],
  ['a compressed archive', ['\x1f\x8b', 'Rar!', '7z\xbc\xaf']],
  ['an image', ['\x89PNG', '\xff\xd8\xff', 'GIF8', 'RIFF']],
  ['a web page (HTML)', ['<!doctype html', '<html', '<!DOCTYPE html', '<HTML']],
  ['a PostScript file', ['%!PS']],
]
function whatItIs(head: string): string {
  if (head === '') return 'empty'
  return others.find(([, signatures]) => signatures.some((signature) => head.startsWith(signature)))?.[0] ?? 'no PDF'
}

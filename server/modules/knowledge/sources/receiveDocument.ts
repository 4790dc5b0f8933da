import type { FastifyRequest } from 'fastify'
import { type DocumentType, sourceCaps } from '../../../contracts/sources'
import { ApiError } from '../../../platform/errors'
import type { FileStore, StoredFile } from '../../../platform/files/files'
import { readBody } from '../../../platform/http/fileBody'
import { typeByName } from '../documents/documentText'

/** Readers accept the signature within this many bytes: some programs write something before it. */
const HEAD = 1_024

interface Expected {
  name: string
  types: readonly DocumentType[]
}

/**
 * Receives and stores a document. A file of another type, or a declared size above the cap, is refused before it is
 * read; an undeclared one at the cap. What a zip or a text holds is looked at when it is read for training.
 * @throws ApiError `unsupported_type`, `too_large`, `malformed`, `storage_full`
 */
export async function receiveDocument(
  store: FileStore,
  area: string,
  body: AsyncIterable<Uint8Array>,
  request: Pick<FastifyRequest, 'headers'>,
  { name, types }: Expected,
): Promise<StoredFile> {
  if (Number(request.headers['content-length'] ?? 0) > sourceCaps.document) throw tooLarge()
  const opened = await readBody(body, { head: HEAD, cap: sourceCaps.document, tooLarge })
  const head = Buffer.from(opened.head).toString('latin1', 0, HEAD)
  if (!isRead(head, { name, types })) {
    opened.drop()
    throw new ApiError('unsupported_type', {
      message: `This file is ${whatItIs(head, { name, types })}. ${possible(types)}`,
    })
  }
  return store.put(area, opened.bytes, { type: 'application/octet-stream' })
}

const ZIPPED: readonly (DocumentType | null)[] = ['docx', 'xlsx', 'pptx', 'epub']
const TEXTS: readonly (DocumentType | null)[] = ['html', 'csv', 'text']

function isRead(head: string, { name, types }: Expected): boolean {
  if (head.includes('%PDF-')) return types.includes('pdf')
  const type = typeByName(name)
  if (type === null || !types.includes(type)) return false
  if (ZIPPED.includes(type)) return head.startsWith('PK')
  // texts in UTF-16 have a mark at their beginning
  return TEXTS.includes(type) && head !== '' && (/^(?:\xff\xfe|\xfe\xff)/.test(head) || !head.includes('\0'))
}

const possible = (types: readonly DocumentType[]): string =>
  types.length === 1
    ? 'Documents must be PDF files.'
    : 'Documents can be PDF, DOCX, XLSX, PPTX, EPUB, HTML, CSV, Markdown and text files.'

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
function whatItIs(head: string, { name, types }: Expected): string {
  if (head === '') return 'empty'
  const known = others.find(([, signatures]) => signatures.some((signature) => head.startsWith(signature)))?.[0]
  if (known) return known
  if (types.length === 1) return 'no PDF'
  return typeByName(name) === null ? 'of another type' : 'of another type than its name says'
}

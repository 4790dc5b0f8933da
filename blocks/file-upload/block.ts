import { defineBlock, type Port } from '../../engine/flow/defineBlock'
import type { InputRequest, Reply } from '../../engine/flow/effects'
import { listening, listenPorts, timeoutOf } from '../../engine/flow/inputFields'
import { ask, say, setVariable } from '../../engine/flow/steps'
import { textPart } from '../../engine/flow/visitorParts'
import { acceptPresets, acceptsFile } from '../../engine/values/acceptedFile'
import { counts } from '../../engine/values/caps'
import { plainRichText, richTextVariables } from '../../engine/values/richText'
import { fileUploadFromTypebot } from './import'
import { type FileUploadData, fileUploadDefaults, fileUploadSchema } from './schema'

/**
 * Asks for files and saves their addresses: one as a text, several as a list, even if only one was sent. Limits are
 * checked here too, however the files were uploaded. After ten invalid replies the conversation goes on, by `skip` if
 * possible.
 */
export const fileUpload = defineBlock({
  kind: 'file-upload',
  category: 'input',
  title: 'File upload',
  help: 'Asks for files.',
  schema: fileUploadSchema,
  defaults: fileUploadDefaults,
  richTexts: ['prompt'],
  visitorTexts: ['prompt'],
  visitorParts: ({ prompt }) => [textPart('prompt', prompt)],
  ports,
  reads: (data) => richTextVariables(data.prompt),
  writes: (data) => (data.saveTo ? [data.saveTo] : []),
  importers: [fileUploadFromTypebot],
  *run(data) {
    yield* say(data.prompt)
    const request = requestOf(data)
    for (let attempt = 1; attempt <= counts.attempts; attempt++) {
      const reply = yield* ask(request, listening(data))
      if (reply.type === 'timeout') return 'no-reply'
      const skipped = reply.type === 'skip' || (reply.type === 'files' && reply.files.length === 0)
      if (skipped && !data.required) return 'skip'
      const problem = problemOf(reply, request)
      if (reply.type === 'files' && problem === null) {
        const urls = reply.files.map(({ url }) => url)
        if (data.saveTo) yield* setVariable(data.saveTo, data.maxCount > 1 ? urls : (urls[0] ?? null))
        return 'next'
      }
      if (problem !== null && attempt < counts.attempts) yield* say(plainRichText(problem))
    }
    return data.required ? 'next' : 'skip'
  },
})

type FileRequest = Extract<InputRequest, { input: 'file' }>

const requestOf = (data: FileUploadData): FileRequest => ({
  input: 'file',
  ...timeoutOf(data),
  required: data.required,
  accept: [...acceptPresets[data.accept]],
  maxSize: Math.round(data.maxSize * 1e6),
  maxCount: data.maxCount,
})

/** The problem of a reply, as a message for the visitor. */
function problemOf(reply: Reply, { accept, maxSize, maxCount }: FileRequest): string | null {
  if (reply.type !== 'files' || reply.files.length === 0) return 'Choose a file to send'
  if (reply.files.length > maxCount) return maxCount === 1 ? 'Send one file' : `Send at most ${maxCount} files`
  const large = reply.files.find(({ size }) => size > maxSize)
  if (large) return `${large.name} is larger than ${maxSize / 1e6} MB`
  const other = reply.files.find((file) => !acceptsFile(accept, file))
  return other ? `${other.name} is not of a type that is taken here` : null
}

function ports(data: FileUploadData): Port<'next' | 'skip' | 'no-reply'>[] {
  return [
    { id: 'next' },
    ...(data.required ? [] : [{ id: 'skip' as const, label: 'Skip', fallback: 'next' as const }]),
    ...listenPorts(data, 'next'),
  ]
}

import { z } from 'zod'

const keyOf = (conversation: string) => `parley:reply:${conversation}`
const noteKeyOf = (conversation: string) => `parley:note:${conversation}`
const filesKeyOf = (conversation: string) => `parley:reply-files:${conversation}`
/** Files that no answer names are deleted after an hour. */
const FILES_KEPT_MS = 50 * 60_000

/** What was written in a conversation and not sent, on this device. A browser without storage keeps nothing. */
export const readDraft = (conversation: string): string => read(keyOf(conversation))
export const keepDraft = (conversation: string, text: string): void => keep(keyOf(conversation), text)
export const forgetDraft = (conversation: string): void => keepDraft(conversation, '')
/** A note for colleagues, likewise. */
export const readNoteDraft = (conversation: string): string => read(noteKeyOf(conversation))
export const keepNoteDraft = (conversation: string, text: string): void => keep(noteKeyOf(conversation), text)

const keptFiles = z.object({
  at: z.number(),
  files: z.array(z.object({ id: z.string(), name: z.string(), size: z.number() })),
})
/** A file that was sent to the server for an answer. */
export type ReplyFile = z.infer<typeof keptFiles>['files'][number]

/** The files that belong to the draft, while the server has them. */
export function readFiles(conversation: string): ReplyFile[] {
  try {
    const kept = keptFiles.safeParse(JSON.parse(localStorage.getItem(filesKeyOf(conversation)) ?? 'null'))
    return kept.success && kept.data.at > Date.now() - FILES_KEPT_MS ? kept.data.files : []
  } catch {
    return []
  }
}

export const keepFiles = (conversation: string, files: readonly ReplyFile[]): void =>
  keep(filesKeyOf(conversation), files.length === 0 ? '' : JSON.stringify({ at: Date.now(), files }))

function read(key: string): string {
  try {
    return localStorage.getItem(key) ?? ''
  } catch {
    return ''
  }
}

function keep(key: string, text: string): void {
  try {
    if (text.trim()) localStorage.setItem(key, text)
    else localStorage.removeItem(key)
  } catch {
    // full, or not allowed: the text is still on the screen
  }
}

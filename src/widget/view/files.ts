import type { ChatTexts } from '../texts'

/** What an input accepts, in words: `PDF, images`. */
export function acceptedWords(accept: readonly string[], texts: ChatTexts): string {
  const groups: Record<string, string> = { 'image/*': texts.images, 'video/*': texts.videos, 'audio/*': texts.sounds }
  const words = accept.map((entry) => groups[entry] ?? entry.replace(/^.*[./+]/, '').toUpperCase())
  return [...new Set(words)].join(', ')
}

/** What of a list of uploads has arrived. */
export function uploadsOf(items: readonly { id: string | null; problem: string | null; file: { name: string } }[]) {
  const arrived = items.filter((item) => item.id !== null)
  return {
    ids: arrived.flatMap(({ id }) => id ?? []),
    names: arrived.map(({ file }) => file.name).join(', '),
    uploading: items.some(({ id, problem }) => id === null && problem === null),
  }
}

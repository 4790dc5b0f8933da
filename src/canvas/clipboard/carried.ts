/** A copy of a clipboard's or paste event's data, which is unavailable after the event. */
export interface Carried {
  /** by type */
  texts: ReadonlyMap<string, string>
  files: readonly File[]
}

/** The type of a piece of a flow on the clipboard: plain text, so that it can be sent to somebody as well. */
export const CLIP_TYPE = 'text/plain'
/** Types added by our text editors: src/text/clipboard.ts. */
const TYPES = ['application/x-parley-text', 'text/html', CLIP_TYPE]

export const carriedBy = (data: DataTransfer): Carried => ({
  texts: new Map(TYPES.flatMap((type) => (data.getData(type) === '' ? [] : [[type, data.getData(type)]]))),
  files: [...data.files],
})

/** In the form of a paste event's own method. */
export const getData =
  ({ texts }: Carried) =>
  (type: string): string =>
    texts.get(type) ?? ''

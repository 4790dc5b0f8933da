/** What a clipboard or a paste carries, kept: the event's own data is gone once the event is over. */
export interface Carried {
  /** by type */
  texts: ReadonlyMap<string, string>
  files: readonly File[]
}

/** The type under which a piece of a flow is on the clipboard: text, so that it can be sent to somebody as well. */
export const CLIP_TYPE = 'text/plain'
/** What a text editor of ours adds: src/text/clipboard.ts. */
const TYPES = ['application/x-parley-text', 'text/html', CLIP_TYPE]

export const carriedBy = (data: DataTransfer): Carried => ({
  texts: new Map(TYPES.flatMap((type) => (data.getData(type) === '' ? [] : [[type, data.getData(type)]]))),
  files: [...data.files],
})

/** As a paste's own data is read. */
export const getData =
  ({ texts }: Carried) =>
  (type: string): string =>
    texts.get(type) ?? ''

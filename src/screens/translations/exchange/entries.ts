/** Texts and translations as files carry them, in marked form (engine/translations/markup.ts). */
export interface ExchangedText {
  /** the flow's id; null where the file does not say */
  flow: string | null
  flowTitle: string
  group: string
  block: string
  field: string
  /** `<block id>.<place>` */
  id: string
  main: string
  /** of one line: a text without paragraphs, lists and marks */
  line: boolean
  translations: ReadonlyMap<string, ExchangedTranslation>
}
export interface ExchangedTranslation {
  text: string
  /** made of another main text, or by a model, and not looked at since */
  needsReview: boolean
}

/** One translation that a file brings. */
export interface Entry {
  flow: string | null
  id: string
  language: string
  /** the main text that stands beside it; null where the file has none */
  main: string | null
  text: string
}

/** What a file holds. */
export interface ReadFile {
  entries: Entry[]
  /** in sentences, of what could not be read */
  problems: string[]
}

/** Ours: more than the largest chatbot in ten languages. */
export const exchangeCaps = { bytes: 20_000_000, entries: 100_000, text: 100_000 } as const

/** Thrown for a file that is none, or too large; its message is a sentence for the editor. */
export class UnreadableFile extends Error {}

import type { BaseEditor } from 'slate'
import type { ReactEditor } from 'slate-react'
import type { ListPlace } from '../../engine/values/richTextLists'

/** What Slate holds while a text is edited; slate-yjs keeps the same shape in the document (engine/document). */
export interface ParagraphElement extends ListPlace {
  type: 'paragraph'
  /** of texts that are kept as Markdown (src/text/markdown); flows have none */
  heading?: 1 | 2 | 3
  children: (TextLeaf | ChipElement)[]
}

/** A variable in a text: one character as far as the cursor is concerned. */
export interface ChipElement {
  type: 'variable'
  variable_id: string
  /** a part of its value */
  path?: string
  bold?: true
  italic?: true
  underline?: true
  link?: string
  children: [{ text: '' }]
}

export interface TextLeaf {
  text: string
  bold?: true
  italic?: true
  underline?: true
  link?: string
}

export type Mark = 'bold' | 'italic' | 'underline'

declare module 'slate' {
  interface CustomTypes {
    Editor: BaseEditor & ReactEditor
    Element: ParagraphElement | ChipElement
    Text: TextLeaf
  }
}

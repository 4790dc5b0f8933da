import type { BaseEditor } from 'slate'
import type { ReactEditor } from 'slate-react'
import type { ListPlace } from '../../engine/values/richTextLists'

/** Slate's nodes during editing; slate-yjs stores the same shape in the document (engine/document). */
export interface ParagraphElement extends ListPlace {
  type: 'paragraph'
  /** for texts stored as Markdown (src/text/markdown); not in flows */
  heading?: 1 | 2 | 3
  children: (TextLeaf | ChipElement)[]
}

/** A variable in a text: a single character for the cursor. */
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

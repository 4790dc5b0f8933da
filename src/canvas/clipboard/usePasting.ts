import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { caps } from '../../../engine/values/caps'
import { staticValue } from '../../../engine/values/dynamicValue'
import { plainRichText, type RichText, richTextLength } from '../../../engine/values/richText'
import { systemVariables } from '../../../engine/values/systemVariables'
import { nameOfVariable } from '../../text/flowScope'
import { createBlock } from '../actions'
import { useView, type View } from '../adapter'
import { type Editor, useEditor } from '../context'
import type { Point } from '../geometry'
import { announce } from '../keyboard/announce'
import { stopInFocus } from '../keyboard/stopElements'
import { tell } from '../notice'
import { type Carried, CLIP_TYPE, getData } from './carried'
import { CLIP_FORMAT, CLIP_VERSION, type Clip } from './clip'
import { duplicateSelection, type PasteTo, paste } from './paste'
import { readCarried } from './readCarried'

export interface Pasting {
  /** pastes a piece of a flow, text, or an image, or shows why it can't. Null: the clipboard is empty */
  paste: (carried: Carried | null, at: Point | null) => Promise<void>
  duplicate: () => void
}

/** Pasting and duplicating, the same for keys, menu and palette: the result is selected and visible. */
export function usePasting(): Pasting {
  const editor = useEditor()
  const view = useView()
  const { t } = useTranslation('builder')
  return useMemo(() => {
    const title = t('canvas.newGroup')
    const put = (clip: Clip, to: PasteTo, said: 'pasted' | 'duplicated'): boolean => {
      const done = paste(editor, clip, title, to)
      if (done) show(editor, view, t(`announce.${said}`))
      return done
    }
    return {
      async paste(carried, at) {
        const to: PasteTo = at ? { pointer: at } : { centre: view.centre() }
        const clip = carried && (await clipOfCarried(editor, carried))
        if (clip === null) tell(editor.store, 'neutral', 'nothingToPaste')
        if (clip) put(clip, to, 'pasted')
      },
      duplicate() {
        if (duplicateSelection(editor, title)) show(editor, view, t('announce.duplicated'))
      },
    }
  }, [editor, view, t])
}

/** Brings the new selection into view, and moves the focus there if it was on the canvas. */
function show({ document, store }: Editor, view: View, said: string): void {
  const { groups, blocks } = store.getState().selection
  const { blocks: views } = document.projection()
  const of = [...groups, ...[...blocks].flatMap((id) => views.get(id)?.groupId ?? [])]
  view.revealGroups(of, 'framed')
  const [blockId] = blocks
  if (stopInFocus() && of[0] !== undefined) store.setState({ focused: { groupId: of[0], blockId } })
  announce(store, said)
}

/** The pasted piece of a flow; null if there is none, undefined if a message has been shown. */
async function clipOfCarried(editor: Editor, carried: Carried): Promise<Clip | null | undefined> {
  const text = getData(carried)(CLIP_TYPE)
  if (text.trim() === '') {
    const [file] = carried.files
    return file ? clipOfFile(editor, file) : null
  }
  const reading = await readCarried(text, editor.registry, editor.newId)
  if (reading.is === 'text') return clipOfText(editor, carried)
  if (reading.is === 'refused') tell(editor.store, 'error', reading.key, reading.values)
  else if (reading.is === 'imported') {
    const { product, blocks, kept } = reading
    tell(editor.store, 'neutral', kept > 0 ? 'importedPartly' : 'imported', { product, count: blocks, kept })
  }
  return 'clip' in reading ? reading.clip : undefined
}

/** Text becomes a text block with its formatting, lists and links. */
async function clipOfText(editor: Editor, carried: Carried): Promise<Clip | undefined> {
  const { readRichText } = await import('../../text/clipboard')
  const { variables } = editor.document.projection()
  const content = readRichText(
    { getData: getData(carried) },
    {
      nameOf: (id) => nameOfVariable(id, variables),
      idOf: (name) => [...variables, ...systemVariables].find((variable) => variable.name === name)?.id,
    },
  )
  const length = richTextLength(content)
  if (length > caps.text) return void tell(editor.store, 'error', 'textTooLong', { count: length, cap: caps.text })
  tell(editor.store, 'neutral', 'textPasted', { count: length })
  return clipOfBlock(editor, 'text', { content: withoutBlankEnds(content) })
}

/** An image is uploaded and becomes an image block. */
async function clipOfFile(editor: Editor, file: File): Promise<Clip | undefined> {
  if (!file.type.startsWith('image/')) return void tell(editor.store, 'error', 'fileRefused', { name: file.name })
  if (!editor.uploadImage) return undefined
  tell(editor.store, 'neutral', 'uploading', { name: file.name })
  try {
    return clipOfBlock(editor, 'image', { url: staticValue(await editor.uploadImage(file)) })
  } catch (error) {
    return void tell(editor.store, 'error', 'uploadFailed', {
      name: file.name,
      reason: error instanceof Error ? error.message : String(error),
    })
  }
}

function clipOfBlock(editor: Editor, kind: string, data: object): Clip {
  const block = createBlock(editor, kind)
  return {
    format: CLIP_FORMAT,
    version: CLIP_VERSION,
    flow: editor.flowId ?? null,
    groups: [],
    blocks: [{ ...block, data: { ...block.data, ...data } as typeof block.data }],
    edges: [],
    variables: [],
  }
}

/** Other programs append a line break to copied text. */
function withoutBlankEnds(content: RichText): RichText {
  const isBlank = (at: number) =>
    content[at]?.children.every((child) => 'text' in child && child.text.trim() === '' && !('variable' in child))
  let [first, last] = [0, content.length]
  while (first < last && isBlank(first)) first += 1
  while (last > first && isBlank(last - 1)) last -= 1
  return first < last ? content.slice(first, last) : plainRichText('')
}

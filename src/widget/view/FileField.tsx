/** @jsxImportSource preact */
import { useEffect, useRef, useState } from 'preact/hooks'
import { acceptsFile } from '../../../engine/values/acceptedFile'
import { type ChatTexts, fill } from '../texts'
import { ChatFailure } from '../transport'
import css from './chat.module.css'
import { fileSize } from './fileSize'
import { acceptedWords, uploadsOf } from './files'
import form from './files.module.css'
import type { InputProps } from './inputProps'

interface Item {
  key: number
  file: File
  /** 0 to 1 */
  share: number
  /** from the server, once it is there */
  id: string | null
  problem: string | null
  /** false: sending it again would help nothing */
  again: boolean
  stop: AbortController
}

/** Files to send: dropped, or picked. Each goes to the server at once, and the reply names those that have arrived. */
export function FileField({ request, refusal, busy, texts, onSend, onUpload }: InputProps<'file'>) {
  const { accept, maxSize, maxCount } = request
  const [items, setItems] = useState<readonly Item[]>([])
  const [over, setOver] = useState(false)
  const [surplus, setSurplus] = useState(false)
  const count = useRef(0)
  const latest = useRef(items)
  latest.current = items
  useEffect(() => () => latest.current.forEach(({ stop }) => void stop.abort()), [])

  const change = (key: number, part: Partial<Item>) =>
    setItems((all) => all.map((item) => (item.key === key ? { ...item, ...part } : item)))

  async function upload({ key, file }: Item): Promise<void> {
    const stop = new AbortController()
    change(key, { problem: null, share: 0, stop })
    try {
      const id = await onUpload(file, (share) => change(key, { share }), stop.signal)
      change(key, { id, share: 1 })
    } catch (failure) {
      const said = failure instanceof ChatFailure && failure.reason !== 'offline' ? failure : null
      change(key, { problem: said?.message ?? texts.uploadFailed, again: said?.reason !== 'refused' })
    }
  }

  function add(files: FileList | null | undefined): void {
    const given = [...(files ?? [])]
    const taken = given.slice(0, Math.max(0, maxCount - items.length))
    setSurplus(taken.length < given.length)
    const added = taken.map((file): Item => {
      const problem = problemOf(file, accept, maxSize, texts)
      return { key: ++count.current, file, share: 0, id: null, problem, again: false, stop: new AbortController() }
    })
    setItems([...items, ...added])
    for (const item of added) if (!item.problem) void upload(item)
  }

  function remove(item: Item): void {
    item.stop.abort()
    setSurplus(false)
    setItems(items.filter(({ key }) => key !== item.key))
  }

  const { ids, names, uploading } = uploadsOf(items)
  const full = items.length >= maxCount
  const one = maxCount === 1
  const limit = fill(one ? texts.fileLimit : texts.filesLimit, { n: maxCount, size: fileSize(maxSize) })
  return (
    <form
      class={form.upload}
      onSubmit={(event) => {
        event.preventDefault()
        if (!busy && ids.length > 0 && !uploading) onSend({ type: 'files', fileIds: ids }, names)
      }}
    >
      {!full && (
        // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a second way to what the button does
        <div
          class={form.drop}
          data-over={over || undefined}
          onDragOver={(event) => {
            event.preventDefault()
            setOver(true)
          }}
          onDragLeave={() => setOver(false)}
          onDrop={(event) => {
            event.preventDefault()
            setOver(false)
            add(event.dataTransfer?.files)
          }}
        >
          <p>
            {one ? texts.dropFile : texts.dropFiles}{' '}
            <label class={form.pick}>
              {one ? texts.chooseFile : texts.chooseFiles}
              <input
                type="file"
                class={css.hidden}
                multiple={!one}
                accept={accept.join(',') || undefined}
                disabled={busy}
                aria-describedby="chat-limit"
                onChange={(event) => {
                  add(event.currentTarget.files)
                  event.currentTarget.value = ''
                }}
              />
            </label>
          </p>
          <small id="chat-limit">{[acceptedWords(accept, texts), limit].filter(Boolean).join(' · ')}</small>
        </div>
      )}
      {items.length > 0 && (
        <ul class={form.list}>
          {items.map((item) => (
            <Row
              key={item.key}
              item={item}
              texts={texts}
              onAgain={() => void upload(item)}
              onRemove={() => remove(item)}
            />
          ))}
        </ul>
      )}
      {(refusal || surplus) && (
        <p class={css.problem} role="alert">
          {refusal ?? fill(texts.tooManyFiles, { n: maxCount })}
        </p>
      )}
      {items.length > 0 && (
        <button type="submit" class={css.primary} disabled={busy || uploading || ids.length === 0}>
          {uploading ? `${texts.uploading}…` : texts.send}
        </button>
      )}
    </form>
  )
}

function Row(props: { item: Item; texts: ChatTexts; onAgain: () => void; onRemove: () => void }) {
  const { item, texts, onAgain, onRemove } = props
  const { file, share, id, problem, again } = item
  return (
    <li class={form.row} data-failed={problem ? true : undefined}>
      <span class={form.name}>{file.name}</span>
      <small>{id ? `${fileSize(file.size)} · ${texts.uploaded}` : fileSize(file.size)}</small>
      <button type="button" class={css.quiet} aria-label={fill(texts.remove, { name: file.name })} onClick={onRemove}>
        <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
          <path d="m4 4 8 8m0-8-8 8" stroke="currentColor" stroke-width="1.6" stroke-linecap="round" />
        </svg>
      </button>
      {problem && (
        <p class={css.problem} role="alert">
          {problem}{' '}
          {again && (
            <button type="button" class={css.link} onClick={onAgain}>
              {texts.uploadAgain}
            </button>
          )}
        </p>
      )}
      {!id && !problem && <progress value={share} aria-label={`${texts.uploading} ${file.name}`} />}
    </li>
  )
}

/** What is plainly wrong with a file, said before it is sent anywhere. */
function problemOf(file: File, accept: string[], maxSize: number, texts: ChatTexts): string | null {
  if (file.size === 0) return texts.fileEmpty
  if (file.size > maxSize) return fill(texts.fileTooLarge, { size: fileSize(maxSize) })
  if (!acceptsFile(accept, file)) return fill(texts.fileType, { types: acceptedWords(accept, texts) })
  return null
}

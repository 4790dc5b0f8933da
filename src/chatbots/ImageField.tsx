import { Upload, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { uploadFile } from '../api/files'
import { Button } from '../ui/Button'
import { IconButton } from '../ui/IconButton'
import { TextField } from '../ui/TextField'
import css from './imageField.module.css'

interface ImageFieldProps {
  pgid: string
  label: string
  about?: string
  /** shown as a circle, as the chat shows it */
  round?: boolean
  value: string
  error?: string | undefined
  readOnly: boolean
  /** makes of a chosen file what is uploaded. Throws with what is wrong with it, for people */
  prepare?: (file: File) => Promise<File>
  onChange: (value: string) => void
}

/** A picture: uploaded, or by its address. */
export function ImageField(props: ImageFieldProps) {
  const { pgid, label, about, round = false, value, error, readOnly, prepare, onChange } = props
  const { t } = useTranslation()
  const input = useRef<HTMLInputElement>(null)
  const running = useRef<AbortController>(undefined)
  const [part, setPart] = useState<number | null>(null)
  const [problem, setProblem] = useState<string>()
  useEffect(() => () => running.current?.abort(), [])

  const upload = async (file: File) => {
    running.current?.abort()
    running.current = new AbortController()
    const { signal } = running.current
    setProblem(undefined)
    setPart(0)
    try {
      const ready = prepare ? await prepare(file) : file
      signal.throwIfAborted()
      onChange(await uploadFile(pgid, ready, 'image', { onProgress: setPart, signal, avatar: round }))
    } catch (failure) {
      if (!signal.aborted) setProblem(failure instanceof Error ? failure.message : String(failure))
    } finally {
      if (!signal.aborted) setPart(null)
    }
  }
  return (
    <div className={css.field}>
      <div className={css.picture} data-round={round || undefined} data-empty={value === '' || undefined}>
        {value !== '' && !error && (
          <img key={value} src={value} alt="" onError={({ currentTarget }) => currentTarget.remove()} />
        )}
      </div>
      <div className={css.body}>
        <TextField
          label={label}
          description={about}
          placeholder="https://"
          value={value}
          error={problem ?? error}
          readOnly={readOnly}
          rightSection={
            value !== '' && !readOnly ? (
              <IconButton
                size="s"
                label={t('imageField.clear', { label })}
                icon={<X size={14} />}
                onClick={() => onChange('')}
              />
            ) : undefined
          }
          onChange={(event) => {
            setProblem(undefined)
            onChange(event.currentTarget.value)
          }}
        />
        {!readOnly && (
          <div>
            <Button
              size="s"
              icon={<Upload size={14} />}
              loading={part !== null}
              aria-label={t('imageField.uploadOf', { label })}
              onClick={() => input.current?.click()}
            >
              {part === null ? t('imageField.upload') : `${Math.round(part * 100)} %`}
            </Button>
            <input
              ref={input}
              type="file"
              hidden
              aria-label={t('imageField.uploadOf', { label })}
              accept="image/png,image/jpeg,image/gif,image/webp,image/avif"
              onChange={({ currentTarget }) => {
                const [file] = currentTarget.files ?? []
                currentTarget.value = ''
                if (file) void upload(file)
              }}
            />
          </div>
        )}
      </div>
    </div>
  )
}

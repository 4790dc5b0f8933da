import { FileQuestion, FileText, RefreshCw, Upload as UploadIcon, X } from 'lucide-react'
import { type ClipboardEvent as ReactClipboardEvent, useEffect, useRef, useState } from 'react'
import { useDropzone } from 'react-dropzone'
import { useTranslation } from 'react-i18next'
import { type DynamicValue, staticValue } from '../../../engine/values/dynamicValue'
import { type Medium, mediaCaps, mediaTypes } from '../../../engine/values/mediaFile'
import { isFileUrl } from '../../../engine/values/url'
import { formatBytes } from '../../i18n/format'
import { Button } from '../../ui/Button'
import { DynamicControl } from './DynamicControl'
import { FieldFrame } from './FieldFrame'
import { useField } from './formContext'
import styles from './MediaField.module.css'
import { type Upload, useUpload } from './useUpload'

/**
 * An image, a video, a sound or a document: uploaded (chosen, dropped or pasted), or a web address, possibly with
 * variables.
 * @param inList there are several: a paste goes to the focused field, not from anywhere in the page
 */
export function MediaField(props: { name: string; medium: Medium; max: number; inList?: boolean; label?: string }) {
  const { medium } = props
  const own = useField<DynamicValue | undefined>(props.name)
  // replaces the field's own if it depends on another field
  const field = { ...own, label: props.label ?? own.label }
  const upload = useUpload(medium, (url) => field.set(staticValue(url)))
  const value = field.value ?? staticValue('')
  const file = value.type === 'static' && isFileUrl(value.value) ? value.value : null
  return (
    <FieldFrame field={{ ...field, error: upload?.problem ?? field.error }}>
      {file && <Preview key={file} medium={medium} url={file} label={field.label} />}
      {upload && (
        <Uploader
          label={field.label}
          medium={medium}
          upload={upload}
          inList={props.inList ?? false}
          onRemove={file ? () => field.set(staticValue('')) : undefined}
        />
      )}
      {!file && <DynamicControl field={field} max={props.max} />}
    </FieldFrame>
  )
}

/** A drop zone with a button. The button element stays the same, so that it keeps the focus. */
function Uploader({
  label,
  medium,
  upload,
  inList,
  onRemove,
}: {
  label: string
  medium: Medium
  upload: Upload
  inList: boolean
  onRemove: (() => void) | undefined
}) {
  const { t } = useTranslation('text')
  const { sending, sent } = upload
  const { getRootProps, getInputProps, isDragActive, open } = useDropzone({
    accept: Object.fromEntries(mediaTypes[medium].map((type) => [type, []])),
    multiple: false,
    noClick: true,
    noKeyboard: true,
    useFsAccessApi: false,
    // files of other types are sent too: the server examines them and says what is wrong
    onDrop: ([accepted], [rejected]) => take(accepted ?? rejected?.file),
  })
  const take = (file: File | undefined) => file && upload.start(file)
  const paste = (event: ClipboardEvent | ReactClipboardEvent) => takePasted(event, medium, upload.start)
  usePastedAnywhere(inList ? null : paste)
  const action = sending ? 'cancel' : onRemove ? 'replace' : 'choose'
  return (
    <div
      {...getRootProps({ role: 'group', 'aria-label': label, className: styles.drop })}
      onPaste={inList ? paste : undefined}
      data-active={isDragActive || undefined}
    >
      <input {...getInputProps({ hidden: true, style: { display: 'none' } })} />
      <div className={styles.row}>
        <Button size="s" icon={icons[action]} onClick={sending ? upload.cancel : open}>
          {t(`upload.${action}`)}
        </Button>
        {onRemove && !sending && (
          <Button size="s" design="ghost" onClick={onRemove}>
            {t('upload.remove')}
          </Button>
        )}
        {sending && <progress className={styles.progress} max={1} value={sending.part} aria-label={sending.name} />}
      </div>
      <p className={styles.hint}>
        {isDragActive
          ? t('upload.drop')
          : sending
            ? t('upload.sending', { name: sending.name })
            : t(`upload.${medium}.hint`, { size: formatBytes(mediaCaps[medium]) })}
      </p>
      <span className={styles.live} role="status">
        {sending ? t('upload.sending', { name: sending.name }) : sent && t('upload.done', { name: sent })}
      </span>
    </div>
  )
}

const icons = { cancel: <X size={14} />, replace: <RefreshCw size={14} />, choose: <UploadIcon size={14} /> }

/** A flow from another installation may name files that don't exist here. */
function Preview({ medium, url, label }: { medium: Medium; url: string; label: string }) {
  const { t } = useTranslation('text')
  const [failed, setFailed] = useState(false)
  const onError = () => setFailed(true)
  return (
    <div className={styles.preview}>
      {failed ? (
        <p className={styles.failed}>
          <FileQuestion size={16} aria-hidden /> {t(`upload.${medium}.unavailable`)}
        </p>
      ) : medium === 'image' ? (
        <img src={url} alt="" onError={onError} />
      ) : medium === 'video' ? (
        // biome-ignore lint/a11y/useMediaCaption: uploads have no subtitles
        <video src={url} aria-label={label} controls preload="metadata" onError={onError} />
      ) : medium === 'document' ? (
        <a className={styles.document} href={url} target="_blank" rel="noreferrer">
          <FileText size={16} aria-hidden /> {t('upload.document.open')}
        </a>
      ) : (
        // biome-ignore lint/a11y/useMediaCaption: as above
        <audio src={url} aria-label={label} controls preload="metadata" onError={onError} />
      )}
    </div>
  )
}

/** A pasted file goes to the only field of its medium, wherever the focus is. */
function usePastedAnywhere(onPaste: ((event: ClipboardEvent) => void) | null) {
  const latest = useRef(onPaste)
  latest.current = onPaste
  useEffect(() => {
    const paste = (event: ClipboardEvent) => latest.current?.(event)
    document.addEventListener('paste', paste, { capture: true })
    return () => document.removeEventListener('paste', paste, { capture: true })
  }, [])
}

function takePasted(event: ClipboardEvent | ReactClipboardEvent, medium: Medium, take: (file: File) => void) {
  // a copied table or drawing comes as text and image: use the text
  if (!event.clipboardData || event.clipboardData.getData('text/plain')) return
  const file = [...event.clipboardData.files].find(
    ({ type }) => (mediaTypes[medium] as readonly string[]).includes(type) || type.startsWith(`${medium}/`),
  )
  if (!file) return
  event.preventDefault()
  event.stopPropagation()
  take(file)
}

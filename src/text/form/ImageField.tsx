import { ImageOff, ImageUp, RefreshCw, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useDropzone } from 'react-dropzone'
import { useTranslation } from 'react-i18next'
import { type DynamicValue, staticValue } from '../../../engine/values/dynamicValue'
import { IMAGE_CAP, imageTypes } from '../../../engine/values/imageFile'
import { isFileUrl } from '../../../engine/values/url'
import { formatBytes } from '../../i18n/format'
import { Button } from '../../ui/Button'
import { DynamicInput } from '../DynamicInput'
import { errorId, FieldFrame } from './FieldFrame'
import { useField, useForm } from './formContext'
import styles from './ImageField.module.css'
import { type ImageUpload, useImageUpload } from './useImageUpload'

/** An image: uploaded (chosen, dropped or pasted), or by its address on the web, which may have variables in it. */
export function ImageField({ name, max }: { name: string; max: number }) {
  const field = useField<DynamicValue | undefined>(name)
  const { document } = useForm()
  const upload = useImageUpload((url) => field.set(staticValue(url)))
  const value = field.value ?? staticValue('')
  const file = value.type === 'static' && isFileUrl(value.value) ? value.value : null
  return (
    <FieldFrame field={{ ...field, error: upload?.problem ?? field.error }}>
      {file && <Preview key={file} url={file} />}
      {upload && (
        <Upload label={field.label} upload={upload} onRemove={file ? () => field.set(staticValue('')) : undefined} />
      )}
      {!file && (
        <DynamicInput
          value={value}
          onChange={field.set}
          undo={document.undo}
          label={field.label}
          max={max}
          placeholder={field.placeholder}
          readOnly={field.readOnly}
          error={field.error}
          describedBy={errorId(field.id)}
        />
      )}
    </FieldFrame>
  )
}

/** Where a file is dropped, with a button for those who choose one. The button stays the same one, so that it keeps the focus. */
function Upload({
  label,
  upload,
  onRemove,
}: {
  label: string
  upload: ImageUpload
  onRemove: (() => void) | undefined
}) {
  const { t } = useTranslation('text')
  const { sending, sent } = upload
  const { getRootProps, getInputProps, isDragActive, open } = useDropzone({
    accept: Object.fromEntries(imageTypes.map((type) => [type, []])),
    multiple: false,
    noClick: true,
    noKeyboard: true,
    useFsAccessApi: false,
    // the server says what is wrong with a file of another type, since it looks into it
    onDrop: ([accepted], [rejected]) => take(accepted ?? rejected?.file),
  })
  const take = (file: File | undefined) => file && upload.start(file)
  usePastedImage(upload.start)
  const action = sending ? 'cancel' : onRemove ? 'replace' : 'choose'
  return (
    <div
      {...getRootProps({ role: 'group', 'aria-label': label, className: styles.drop })}
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
            : t('upload.hint', { size: formatBytes(IMAGE_CAP) })}
      </p>
      <span className={styles.live} role="status">
        {sending ? t('upload.sending', { name: sending.name }) : sent && t('upload.done', { name: sent })}
      </span>
    </div>
  )
}

const icons = { cancel: <X size={14} />, replace: <RefreshCw size={14} />, choose: <ImageUp size={14} /> }

/** A flow that came from another installation names files that are not here. */
function Preview({ url }: { url: string }) {
  const { t } = useTranslation('text')
  const [failed, setFailed] = useState(false)
  return (
    <div className={styles.preview}>
      {failed ? (
        <p className={styles.failed}>
          <ImageOff size={16} aria-hidden /> {t('upload.unavailable')}
        </p>
      ) : (
        <img src={url} alt="" onError={() => setFailed(true)} />
      )}
    </div>
  )
}

/** An image in the clipboard is meant for the one field that takes images, wherever in the page the focus is. */
function usePastedImage(onImage: (file: File) => void) {
  const latest = useRef(onImage)
  latest.current = onImage
  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      // a table or a drawing comes as text and as its picture: then the text is meant
      if (!event.clipboardData || event.clipboardData.getData('text/plain')) return
      const image = [...event.clipboardData.files].find(({ type }) => type.startsWith('image/'))
      if (!image) return
      event.preventDefault()
      event.stopPropagation()
      latest.current(image)
    }
    document.addEventListener('paste', paste, { capture: true })
    return () => document.removeEventListener('paste', paste, { capture: true })
  }, [])
}

import { Upload } from 'lucide-react'
import { useDropzone } from 'react-dropzone'
import { useTranslation } from 'react-i18next'
import styles from './FileDrop.module.css'

export interface FilesDropProps {
  label: string
  hint: string
  accept: Record<string, string[]>
  /** all that were dropped or chosen, of whatever kind: what is wrong with one is said at it */
  onFiles: (files: File[]) => void
}

/** A place to drop several files, or to choose them; what becomes of each is listed below it. */
export function FilesDrop({ label, hint, accept, onFiles }: FilesDropProps) {
  const { t } = useTranslation()
  const { getRootProps, getInputProps, isDragActive } = useDropzone({
    accept,
    multiple: true,
    useFsAccessApi: false,
    onDrop: (accepted, rejected) => onFiles([...accepted, ...rejected.map(({ file }) => file)]),
  })
  return (
    <div
      {...getRootProps({ className: styles.drop, role: 'button', 'aria-label': label })}
      data-active={isDragActive || undefined}
    >
      <input {...getInputProps({ hidden: true, style: { display: 'none' } })} />
      <Upload className={styles.icon} />
      <span className={styles.label}>{isDragActive ? t('file.dropAll') : label}</span>
      <span className={styles.hint}>{hint}</span>
    </div>
  )
}

import { Upload } from 'lucide-react'
import { useDropzone } from 'react-dropzone'
import { useTranslation } from 'react-i18next'
import styles from './FileDrop.module.css'

export interface FilesDropProps {
  label: string
  hint: string
  accept: Record<string, string[]>
  /** all dropped or chosen files, of any type: errors are shown per file */
  onFiles: (files: File[]) => void
}

/** A drop zone for several files, with a button; their state is listed below. */
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

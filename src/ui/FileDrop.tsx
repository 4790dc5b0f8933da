import { FileJson, Upload } from 'lucide-react'
import { useDropzone } from 'react-dropzone'
import { useTranslation } from 'react-i18next'
import { formatBytes } from '../i18n/format'
import styles from './FileDrop.module.css'

export interface FileDropProps {
  file: File | null
  /** the file's error; marks it as failed (SPEC.md 2) */
  error?: string | undefined
  /** the text of the empty area, and the accepted files */
  label: string
  hint: string
  accept: Record<string, string[]>
  onFile: (file: File) => void
}

/** A drop zone for one file, with a button. */
export function FileDrop({ file, error, label, hint, accept, onFile }: FileDropProps) {
  const { t } = useTranslation()
  const { getRootProps, getInputProps, isDragActive } = useDropzone({
    accept,
    multiple: false,
    useFsAccessApi: false,
    onDrop: ([accepted], [rejected]) => {
      const dropped = accepted ?? rejected?.file
      if (dropped) onFile(dropped)
    },
  })
  return (
    <div>
      <div
        {...getRootProps({
          className: styles.drop,
          role: 'button',
          'aria-label': file ? `${file.name}. ${t('file.another')}` : label,
        })}
        data-active={isDragActive || undefined}
        data-failed={error ? true : undefined}
      >
        <input {...getInputProps({ hidden: true, style: { display: 'none' } })} />
        {file ? <FileJson className={styles.icon} /> : <Upload className={styles.icon} />}
        <span className={styles.label}>{isDragActive ? t('file.drop') : (file?.name ?? label)}</span>
        <span className={styles.hint}>{file ? `${formatBytes(file.size)} · ${t('file.another')}` : hint}</span>
      </div>
      {error && (
        <p role="alert" className={styles.error}>
          {error}
        </p>
      )}
    </div>
  )
}

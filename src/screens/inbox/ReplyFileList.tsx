import { File, RotateCcw, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { formatBytes, formatShare } from '../../i18n/format'
import { IconButton } from '../../ui/IconButton'
import styles from './replyFiles.module.css'
import type { ReplyFiles } from './useReplyFiles'

/** Files that go with the answer: how far each is, and what is wrong with one. */
export function ReplyFileList({ files }: { files: ReplyFiles }) {
  const { t } = useTranslation('inbox')
  return (
    <ul className={styles.waiting} aria-label={t('files.label')}>
      {files.all.map(({ key, name, size, part, id, problem, retry }) => (
        <li key={key} data-failed={problem !== null || undefined}>
          <File size={14} aria-hidden />
          <span className={styles.name} title={name}>
            {name}
          </span>
          {problem !== null ? (
            <span className={styles.problem} role="alert">
              {problem}
            </span>
          ) : id === null ? (
            <>
              <progress value={part} max={1} aria-label={t('files.sending', { name })} />
              <span className={styles.size}>{formatShare(part, 1)}</span>
            </>
          ) : (
            <span className={styles.size}>{formatBytes(size)}</span>
          )}
          {retry && (
            <IconButton
              size="s"
              label={t('files.again', { name })}
              icon={<RotateCcw size={13} />}
              onClick={() => files.again(key)}
            />
          )}
          <IconButton
            size="s"
            label={t('files.remove', { name })}
            icon={<X size={13} />}
            onClick={() => files.remove(key)}
          />
        </li>
      ))}
    </ul>
  )
}

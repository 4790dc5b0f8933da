import { MessagesSquare } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useThreads } from '../../../comments/useComments'
import { IconButton, type IconButtonProps } from '../../../ui/IconButton'
import styles from './CommentsButton.module.css'

/** Opens the panel of comments; shows the number of threads with unread comments. */
export function CommentsButton(props: Omit<IconButtonProps, 'label' | 'icon'>) {
  const { t } = useTranslation('comments')
  const count = useThreads().filter(({ unread }) => unread > 0).length
  return (
    <IconButton
      label={count === 0 ? t('panel.title') : t('panel.button', { count })}
      {...props}
      icon={
        <span className={styles.icon}>
          <MessagesSquare size={17} aria-hidden />
          {count > 0 && <span className={styles.count}>{count > 99 ? '99+' : count}</span>}
        </span>
      }
    />
  )
}

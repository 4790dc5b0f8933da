import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { TestEffectOf } from '../../engine/flow/testEffects'
import { failureText } from '../api/failure'
import { ErrorCard } from '../ui/ErrorCard'
import { LoadingState } from '../ui/LoadingState'
import { Modal } from '../ui/Modal'
import { Tabs } from '../ui/Tabs'
import styles from './testEffects.module.css'

interface MailDialogProps {
  /** loads the mail with its HTML */
  load: () => Promise<TestEffectOf<'mail'>>
  onClose: () => void
}

/**
 * A test's mail as its recipients see it, or would: as HTML, which runs nothing and loads nothing here, and as text.
 */
export function MailDialog({ load, onClose }: MailDialogProps) {
  const { t } = useTranslation('testEffects')
  const { t: common } = useTranslation()
  const id = useId()
  const { data, error, refetch } = useQuery({ queryKey: ['test-mail', id], queryFn: load, retry: false, gcTime: 0 })
  return (
    <Modal opened onClose={onClose} title={data ? data.subject || t('noSubject') : t('mailTitle')} size="lg">
      {error ? (
        <ErrorCard
          message={failureText(error, common('errors.message'))}
          action={{ label: common('actions.retry'), onClick: () => void refetch() }}
        />
      ) : !data ? (
        <LoadingState rows={1} height={320} />
      ) : (
        <Tabs defaultValue="html">
          <Tabs.List>
            <Tabs.Tab value="html">{t('html')}</Tabs.Tab>
            <Tabs.Tab value="text">{t('text')}</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="html">
            <iframe className={styles.html} sandbox="" srcDoc={data.html ?? ''} title={t('htmlTitle')} />
          </Tabs.Panel>
          <Tabs.Panel value="text">
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also without a mouse */}
            <pre className={styles.text} tabIndex={0}>
              {data.text}
            </pre>
          </Tabs.Panel>
        </Tabs>
      )}
    </Modal>
  )
}

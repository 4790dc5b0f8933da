import { useTranslation } from 'react-i18next'
import type { Chatbot } from '../../../server/contracts/chatbots'
import { useVisitorOrigin } from '../../api/shareLink'
import { Card } from '../../ui/Card'
import { CodeBlock } from '../../ui/CodeBlock'
import styles from './embed.module.css'
import { calls, policy, queue } from './snippets'

/** What a page's own scripts may do with the chat, and what its policy has to allow. */
export function ApiCard({ chatbot }: { chatbot: Chatbot }) {
  const { t } = useTranslation('embed')
  const origin = useVisitorOrigin(chatbot)
  return (
    <Card title={t('api.title')} description={t('api.description')}>
      <div className={styles.parts}>
        <CodeBlock label={t('api.queue')} code={queue} />
        <dl className={styles.calls}>
          {calls.map(([name, code]) => (
            <div key={name}>
              <dt>
                <code>{code}</code>
              </dt>
              <dd>{t(`api.calls.${name}`)}</dd>
            </div>
          ))}
        </dl>
        <p className={styles.hint}>{t('api.policy')}</p>
        <CodeBlock label={t('api.policyCode')} code={policy(origin)} />
      </div>
    </Card>
  )
}

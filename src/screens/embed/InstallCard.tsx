import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Chatbot } from '../../../server/contracts/chatbots'
import { useVisitorOrigin } from '../../api/shareLink'
import { Badge } from '../../ui/Badge'
import { Card } from '../../ui/Card'
import { CodeBlock } from '../../ui/CodeBlock'
import { Segmented } from '../../ui/Segmented'
import { Select } from '../../ui/Select'
import styles from './embed.module.css'
import { embedCode, type Kind, kinds, type Platform, packageCode, platforms } from './snippets'

/** The line, in the form that a site wants, and where it goes there. */
export function InstallCard({ chatbot }: { chatbot: Chatbot }) {
  const { t } = useTranslation('embed')
  const { egid, published } = chatbot
  const origin = useVisitorOrigin(chatbot)
  const [kind, setKind] = useState<Kind>('bubble')
  const [platform, setPlatform] = useState<Platform>('html')
  const isPackage = platform === 'react' || platform === 'vue'
  const code = isPackage ? packageCode(origin, egid, kind, platform) : embedCode(origin, egid, kind)
  const steps = Object.values(t(`steps.${platform}`, { returnObjects: true }) as Record<string, string>)
  return (
    <Card
      title={t('install.title')}
      description={t('install.description')}
      actions={!published && <Badge tone="warning">{t('install.notLive')}</Badge>}
    >
      <div className={styles.parts}>
        <div className={styles.kinds}>
          <Segmented
            label={t('install.kind')}
            value={kind}
            options={kinds.map((value) => ({ value, label: t(`kinds.${value}.name`) }))}
            onChange={setKind}
          />
          <p className={styles.hint}>{t(`kinds.${kind}.help`)}</p>
        </div>
        <Select
          className={styles.narrow}
          label={t('install.platform')}
          value={platform}
          data={platforms.map((value) => ({ value, label: t(`platforms.${value}`) }))}
          allowDeselect={false}
          onChange={(value) => value && setPlatform(value as Platform)}
        />
        <CodeBlock label={t('install.code')} code={code} />
        <ol className={styles.steps}>
          {steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      </div>
    </Card>
  )
}

import { Bot } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { SourceDetail } from '../../../../server/contracts/sources'
import { useCan } from '../../../api/account'
import { failureText } from '../../../api/failure'
import { type ChatbotPlace, useSourceChanges } from '../../../api/sources'
import { Button } from '../../../ui/Button'
import { Card } from '../../../ui/Card'
import { notify } from '../../../ui/notify'
import styles from './source.module.css'

interface PlantedTextsProps {
  place: ChatbotPlace
  gid: string
  planted: SourceDetail['planted']
}

/** What a source says to assistants: in quarantine until a member allows it. */
export function PlantedTexts({ place, gid, planted }: PlantedTextsProps) {
  const { t } = useTranslation('sources')
  const { t: common } = useTranslation()
  const { allow } = useSourceChanges(place)
  const mayAllow = useCan('knowledge_base.update')
  if (planted.length === 0) return null
  const isHeld = planted.some(({ allowed }) => !allowed)
  const change = () =>
    allow.mutate(
      { gid, allowed: isHeld ? planted.map(({ text }) => text) : [] },
      { onError: (error) => notify.error(failureText(error, common('errors.message'))) },
    )
  return (
    <Card title={t('planted.title')} description={isHeld ? t('planted.held') : t('planted.allowed')}>
      <ul className={styles.planted}>
        {planted.map(({ text }) => (
          <li key={text}>
            <Bot size={15} aria-hidden /> <q>{text}</q>
          </li>
        ))}
      </ul>
      {mayAllow && (
        <div>
          <Button size="s" loading={allow.isPending} onClick={change}>
            {isHeld ? t('planted.allow') : t('planted.hold')}
          </Button>
        </div>
      )}
    </Card>
  )
}

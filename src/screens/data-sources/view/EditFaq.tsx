import { type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Faq } from '../../../../server/api/sources/contract'
import { type ChatbotPlace, useSourceChanges } from '../../../api/sources'
import { Button } from '../../../ui/Button'
import { Card } from '../../../ui/Card'
import { LeaveGuard } from '../../../ui/LeaveGuard'
import { notify } from '../../../ui/notify'
import { type FaqDraft, FaqFields, faqOf, isFaqComplete } from '../FaqFields'
import styles from './source.module.css'

/** An FAQ entry to be changed. */
export function EditFaq({ place, gid, faq }: { place: ChatbotPlace; gid: string; faq: Faq }) {
  const { t } = useTranslation('sources')
  const saved = draftOf(faq)
  const [changed, setChanged] = useState<FaqDraft | null>(null)
  const [tried, setTried] = useState(false)
  const { saveFaq } = useSourceChanges(place)
  const draft = changed ?? saved
  const dirty = JSON.stringify(faqOf(draft)) !== JSON.stringify(faqOf(saved))
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    setTried(true)
    if (!dirty || !isFaqComplete(draft)) return
    saveFaq.mutate(
      { gid, ...faqOf(draft) },
      {
        onSuccess: () => {
          setChanged(null)
          notify.success(t('view.saved'))
        },
      },
    )
  }
  return (
    <>
      <form onSubmit={submit} noValidate>
        <Card
          footer={
            <Button type="submit" design="primary" disabled={!dirty} loading={saveFaq.isPending}>
              {t('view.save')}
            </Button>
          }
        >
          <div className={styles.fields}>
            <FaqFields draft={draft} tried={tried} error={saveFaq.error} onChange={setChanged} />
          </div>
        </Card>
      </form>
      <LeaveGuard
        isUnsaved={() => dirty}
        title={t('view.leaveTitle')}
        message={t('view.leaveMessage')}
        confirm={t('view.leave')}
      />
    </>
  )
}

const draftOf = ({ question, phrasings, answer }: Faq): FaqDraft => ({
  question,
  phrasings: phrasings.join('\n'),
  answer,
})

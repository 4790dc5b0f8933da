import { useState } from 'react'
import type { Faq } from '../../../../server/contracts/sources'
import { type FaqDraft, FaqFields, faqOf, isFaqComplete } from '../../../answers/FaqFields'
import { type ChatbotPlace, useSourceChanges } from '../../../api/sources'
import { EditForm } from './EditForm'

/** The form of an FAQ entry. */
export function EditFaq({ place, gid, faq }: { place: ChatbotPlace; gid: string; faq: Faq }) {
  const saved = draftOf(faq)
  const [changed, setChanged] = useState<FaqDraft | null>(null)
  const { saveFaq } = useSourceChanges(place)
  const draft = changed ?? saved
  return (
    <EditForm
      dirty={JSON.stringify(faqOf(draft)) !== JSON.stringify(faqOf(saved))}
      complete={isFaqComplete(draft)}
      saving={saveFaq.isPending}
      save={(onSaved) =>
        saveFaq.mutate(
          { gid, ...faqOf(draft) },
          {
            onSuccess: () => {
              setChanged(null)
              onSaved()
            },
          },
        )
      }
    >
      {(tried) => <FaqFields draft={draft} tried={tried} error={saveFaq.error} onChange={setChanged} />}
    </EditForm>
  )
}

const draftOf = ({ question, phrasings, answer }: Faq): FaqDraft => ({
  question,
  phrasings: phrasings.join('\n'),
  answer,
})

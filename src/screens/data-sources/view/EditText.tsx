import { useState } from 'react'
import { type ChatbotPlace, useSourceChanges } from '../../../api/sources'
import { markdownOf } from '../../../text/markdown/MarkdownEditor'
import { hasTextProblem, type TextDraft, TextFields, textDraftOf } from '../TextFields'
import { EditForm } from './EditForm'

interface EditTextProps {
  place: ChatbotPlace
  gid: string
  title: string
  markdown: string
}

/** The form of a text. */
export function EditText({ place, gid, title, markdown }: EditTextProps) {
  const [draft, setDraft] = useState<TextDraft>(() => textDraftOf(title, markdown))
  const [saved, setSaved] = useState(draft)
  const { saveText } = useSourceChanges(place)
  return (
    <EditForm
      // blocks are immutable: another array is another text
      dirty={draft.title !== saved.title || draft.text.blocks !== saved.text.blocks}
      complete={!hasTextProblem(draft)}
      saving={saveText.isPending}
      save={(onSaved) =>
        saveText.mutate(
          { gid, title: draft.title.trim(), markdown: markdownOf(draft.text) },
          {
            onSuccess: () => {
              setSaved(draft)
              onSaved()
            },
          },
        )
      }
    >
      {(tried) => (
        <TextFields draft={draft} initial={markdown} tried={tried} error={saveText.error} onChange={setDraft} />
      )}
    </EditForm>
  )
}

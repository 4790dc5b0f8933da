import { Wrench } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useParams } from 'react-router'
import { applyRemedy, type Remedy } from '../../../engine/check/diagnostic'
import { useSecretCreation } from '../../api/secrets'
import { useEditor } from '../../canvas/context'
import { SecretForm } from '../../text/SecretForm'
import { Button } from '../../ui/Button'
import { Modal } from '../../ui/Modal'
import { notify } from '../../ui/notify'
import { savePlainSecret } from './savePlainSecret'

/** Applies a fix. A missing secret is asked for, and one in plain text is saved first: documents contain no secrets. */
export function MendButton({
  remedy,
  design,
  className,
}: {
  remedy: Remedy
  design?: 'ghost'
  className?: string | undefined
}) {
  const { t } = useTranslation(['problems', 'text'])
  const { pgid = '', cgid = '' } = useParams()
  const navigate = useNavigate()
  const editor = useEditor()
  const create = useSecretCreation(pgid)
  const [asking, setAsking] = useState(false)
  const [saving, setSaving] = useState(false)
  const mend = async () => {
    if (remedy.secret !== undefined) return setAsking(true)
    if (remedy.language !== undefined)
      return void navigate(`/projects/${pgid}/chatbots/${cgid}/builder/translations?language=${remedy.language}`)
    if (!remedy.plain) return applyRemedy(editor.document.commands, remedy)
    setSaving(true)
    try {
      await savePlainSecret(editor, remedy.plain, create)
    } catch (error) {
      notify.error(error instanceof Error ? error.message : String(error))
    } finally {
      setSaving(false)
    }
  }
  return (
    <>
      <Button
        size="s"
        design={design}
        icon={<Wrench size={13} />}
        className={className}
        loading={saving}
        onClick={() => void mend()}
      >
        {t(`remedies.${remedy.code}`, { name: remedy.secret })}
      </Button>
      {asking && (
        <Modal opened onClose={() => setAsking(false)} title={t('text:secrets.new')}>
          <SecretForm
            name={remedy.secret}
            create={create}
            inDialog
            onMade={() => setAsking(false)}
            onCancel={() => setAsking(false)}
          />
        </Modal>
      )}
    </>
  )
}

import { Wrench } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { applyRemedy, type Remedy } from '../../../engine/check/diagnostic'
import { useSecretCreation } from '../../api/secrets'
import { useEditor } from '../../canvas/context'
import { SecretForm } from '../../text/SecretForm'
import { Button } from '../../ui/Button'
import { Modal } from '../../ui/Modal'

/** Carries a remedy out. A secret that is missing is asked for: no document holds it. */
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
  const { pgid = '' } = useParams()
  const { document } = useEditor()
  const create = useSecretCreation(pgid)
  const [asking, setAsking] = useState(false)
  const mend = () => (remedy.secret === undefined ? applyRemedy(document.commands, remedy) : setAsking(true))
  return (
    <>
      <Button size="s" design={design} icon={<Wrench size={13} />} className={className} onClick={mend}>
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

import { type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type AdminProject, changeAllowanceBody } from '../../../server/contracts/admin'
import { useAdminChanges } from '../../api/admin'
import { fieldOr } from '../../api/failure'
import { Button } from '../../ui/Button'
import { Modal, ModalActions } from '../../ui/Modal'
import { notify } from '../../ui/notify'
import { Select } from '../../ui/Select'
import { TextField } from '../../ui/TextField'
import styles from './admin.module.css'

/** The plans by their names, which are the same in all languages. */
const plans = [
  { value: 'free', label: 'Free' },
  { value: 'starter', label: 'Starter' },
  { value: 'growth', label: 'Growth' },
  { value: 'business', label: 'Business' },
  { value: 'self-hosted', label: 'Self-hosted' },
]

/** Sets a project's plan and bonus credits by hand. */
export function AllowanceDialog({ project, onClose }: { project: AdminProject; onClose: () => void }) {
  const { t } = useTranslation('admin')
  const { t: common } = useTranslation()
  const { allow } = useAdminChanges()
  const [plan, setPlan] = useState(project.plan_id)
  const [bonus, setBonus] = useState(String(project.bonus_ai_credits))
  const given = changeAllowanceBody.safeParse({
    ...(plan !== project.plan_id && { plan_id: plan }),
    ...(bonus !== String(project.bonus_ai_credits) && { bonus_ai_credits: /^\d+$/.test(bonus) ? Number(bonus) : null }),
  })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (!given.success) return
    allow.mutate(
      { gid: project.gid, ...given.data },
      {
        onSuccess: () => {
          notify.success(t('allow.done'))
          onClose()
        },
      },
    )
  }
  return (
    <Modal opened onClose={onClose} title={t('allow.title', { name: project.name })}>
      <form onSubmit={submit} className={styles.form}>
        <Select
          label={t('allow.plan')}
          data={plans}
          value={plan}
          allowDeselect={false}
          disabled={project.pays}
          description={project.pays ? t('allow.pays') : undefined}
          onChange={(value) => setPlan(value ?? plan)}
        />
        <TextField
          label={t('allow.bonus')}
          description={t('allow.bonusHint')}
          inputMode="numeric"
          value={bonus}
          error={allow.error ? fieldOr(allow.error, 'bonus_ai_credits', common('errors.message')) : undefined}
          onChange={(event) => setBonus(event.currentTarget.value.trim())}
        />
        <ModalActions>
          <Button onClick={onClose}>{common('actions.cancel')}</Button>
          <Button type="submit" design="primary" disabled={!given.success} loading={allow.isPending}>
            {common('actions.save')}
          </Button>
        </ModalActions>
      </form>
    </Modal>
  )
}

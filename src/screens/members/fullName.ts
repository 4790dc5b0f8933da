import type { Member } from '../../../server/api/members/contract'

export const fullName = ({ first_name, last_name }: Member): string => `${first_name} ${last_name}`

import { storeContract } from '../contract.ts'
import { feedContract } from '../feed-contract.ts'
import { leadContract } from '../lead-contract.ts'
import { ledgerContract } from '../ledger-contract.ts'
import { suiteContract } from '../suite-contract.ts'
import { postgresRig } from './postgres-rig.ts'

storeContract('postgres', postgresRig)
feedContract('postgres', postgresRig)
leadContract('postgres', postgresRig)
ledgerContract('postgres', postgresRig)
suiteContract('postgres', postgresRig)

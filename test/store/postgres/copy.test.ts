import { test } from 'node:test'
import { testDatabase } from '../../rig/postgres.ts'
import { temporaryFolder } from '../../rig/repository.ts'
import { copyThereAndBack } from '../copy-contract.ts'

test('a store goes from SQLite to Postgres and back, and is the same', async () => {
  await using folder = await temporaryFolder()
  await using database = await testDatabase()
  await copyThereAndBack(folder.at('one.db'), database.url, folder.at('back.db'))
})

test('a store goes from one project on Postgres to another by way of a file', async () => {
  await using folder = await temporaryFolder()
  await using database = await testDatabase()
  await copyThereAndBack(`${database.url}?schema=one`, folder.at('file.db'), `${database.url}?schema=two`)
})

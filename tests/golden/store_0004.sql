BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0004');
CREATE TABLE answers (
	id INTEGER NOT NULL, 
	participant_id INTEGER NOT NULL, 
	page TEXT NOT NULL, 
	revision INTEGER NOT NULL, 
	answer_id TEXT NOT NULL, 
	payload TEXT NOT NULL, 
	started_at DATETIME, 
	answered_at DATETIME NOT NULL, 
	rt_ms FLOAT, 
	client TEXT NOT NULL, 
	received_at DATETIME NOT NULL, 
	CONSTRAINT pk_answers PRIMARY KEY (id), 
	CONSTRAINT fk_answers_participant_id FOREIGN KEY(participant_id) REFERENCES participants (id), 
	CONSTRAINT uq_answers_answer_id UNIQUE (answer_id), 
	CONSTRAINT uq_answers_participant_id_page_revision UNIQUE (participant_id, page, revision)
);
INSERT INTO "answers" VALUES(1,1,'consent',0,'p-first2-0','{"agreed":true}',NULL,'2026-03-01 12:00:58.875000',NULL,'{"pointer":"fine","age_ms":20}','2026-03-01 12:01:00.000000');
INSERT INTO "answers" VALUES(2,1,'questionnaire',0,'p-first2-1','{"native":"yes","age":33,"job":"Gärtnerin, \"frei\"","email":{"hash":"00000000000000000000000000000001","plausible":true,"elsewhere":[]}}','2026-03-01 12:01:01.000000','2026-03-01 12:01:08.875000',7875.5,'{"pointer":"fine","age_ms":20}','2026-03-01 12:01:10.000000');
INSERT INTO "answers" VALUES(3,1,'questionnaire',1,'p-first2-2','{"native":"yes","age":34,"job":"Gärtnerin, \"frei\"","email":{"hash":"00000000000000000000000000000001","plausible":true,"elsewhere":[]}}','2026-03-01 12:01:11.000000','2026-03-01 12:01:18.875000',7875.5,'{"pointer":"fine","age_ms":20}','2026-03-01 12:01:20.000000');
INSERT INTO "answers" VALUES(4,1,'quality-p1',0,'p-first2-3','{"ratings":{"clarity":2,"fluency":0},"comment":"=0, schön"}','2026-03-01 12:01:21.000000','2026-03-01 12:01:28.875000',7875.5,'{"pointer":"fine","age_ms":20}','2026-03-01 12:01:30.000000');
INSERT INTO "answers" VALUES(5,1,'quality-p2',0,'p-first2-4','{"ratings":{"clarity":3,"fluency":10},"comment":"=1, schön"}','2026-03-01 12:01:31.000000','2026-03-01 12:01:38.875000',7875.5,'{"pointer":"fine","age_ms":20}','2026-03-01 12:01:40.000000');
INSERT INTO "answers" VALUES(6,1,'quality-p2',1,'p-first2-5','{"ratings":{"clarity":5,"fluency":55},"comment":"=101, schön"}','2026-03-01 12:01:41.000000','2026-03-01 12:01:48.875000',7875.5,'{"pointer":"fine","age_ms":20}','2026-03-01 12:01:50.000000');
INSERT INTO "answers" VALUES(7,1,'quality-1',0,'p-first2-6','{"ratings":{"clarity":4,"fluency":20},"comment":"=2, schön"}','2026-03-01 12:01:51.000000','2026-03-01 12:01:58.875000',7875.5,'{"pointer":"fine","age_ms":20}','2026-03-01 12:02:00.000000');
INSERT INTO "answers" VALUES(8,1,'quality-1',-1,'p-first2-7','{"ratings":{"clarity":6,"fluency":66},"comment":"=202, schön"}','2026-03-01 12:02:01.000000','2026-03-01 12:02:08.875000',7875.5,'{"pointer":"fine","age_ms":20}','2026-03-01 12:02:10.000000');
INSERT INTO "answers" VALUES(9,1,'quality-2',0,'p-first2-8','{"ratings":{"clarity":5,"fluency":30},"comment":"=3, schön"}','2026-03-01 12:02:11.000000','2026-03-01 12:02:18.875000',7875.5,'{"pointer":"fine","age_ms":20}','2026-03-01 12:02:20.000000');
INSERT INTO "answers" VALUES(10,1,'quality-3',0,'p-first2-9','{"ratings":{"clarity":6,"fluency":40},"comment":"=4, schön"}','2026-03-01 12:02:21.000000','2026-03-01 12:02:28.875000',7875.5,'{"pointer":"fine","age_ms":20}','2026-03-01 12:02:30.000000');
INSERT INTO "answers" VALUES(11,1,'quality-4',0,'p-first2-10','{"ratings":{"clarity":7,"fluency":50},"comment":"=5, schön"}','2026-03-01 12:02:31.000000','2026-03-01 12:02:38.875000',7875.5,'{"pointer":"fine","age_ms":20}','2026-03-01 12:02:40.000000');
INSERT INTO "answers" VALUES(12,1,'quality-5',0,'p-first2-11','{"ratings":{"clarity":1,"fluency":60},"comment":"=6, schön"}','2026-03-01 12:02:41.000000','2026-03-01 12:02:48.875000',7875.5,'{"pointer":"fine","age_ms":20}','2026-03-01 12:02:50.000000');
INSERT INTO "answers" VALUES(13,1,'quality-6',0,'p-first2-12','{"ratings":{"clarity":2,"fluency":70},"comment":"=7, schön"}','2026-03-01 12:02:51.000000','2026-03-01 12:02:58.875000',7875.5,'{"pointer":"fine","age_ms":20}','2026-03-01 12:03:00.000000');
INSERT INTO "answers" VALUES(14,1,'quality-7',0,'p-first2-13','{"ratings":{"clarity":3,"fluency":80},"comment":"=8, schön"}','2026-03-01 12:03:01.000000','2026-03-01 12:03:08.875000',7875.5,'{"pointer":"fine","age_ms":20}','2026-03-01 12:03:10.000000');
INSERT INTO "answers" VALUES(15,1,'quality-8',0,'p-first2-14','{"ratings":{"clarity":4,"fluency":90},"comment":"=9, schön"}','2026-03-01 12:03:11.000000','2026-03-01 12:03:18.875000',7875.5,'{"pointer":"fine","age_ms":20}','2026-03-01 12:03:20.000000');
INSERT INTO "answers" VALUES(16,2,'consent',0,'p-again3-0','{"agreed":true}',NULL,'2026-03-01 12:01:58.875000',NULL,'{"pointer":"fine","age_ms":20}','2026-03-01 12:02:00.000000');
INSERT INTO "answers" VALUES(17,2,'questionnaire',0,'p-again3-1','{"native":"yes","age":33,"job":"Gärtnerin, \"frei\"","email":{"hash":"00000000000000000000000000000002","plausible":true,"elsewhere":[]}}','2026-03-01 12:02:01.000000','2026-03-01 12:02:08.875000',7875.5,'{"pointer":"fine","age_ms":20}','2026-03-01 12:02:10.000000');
INSERT INTO "answers" VALUES(18,2,'questionnaire',1,'p-again3-2','{"native":"yes","age":34,"job":"Gärtnerin, \"frei\"","email":{"hash":"00000000000000000000000000000002","plausible":true,"elsewhere":[]}}','2026-03-01 12:02:11.000000','2026-03-01 12:02:18.875000',7875.5,'{"pointer":"fine","age_ms":20}','2026-03-01 12:02:20.000000');
INSERT INTO "answers" VALUES(19,2,'quality-p1',0,'p-again3-3','{"ratings":{"clarity":3,"fluency":0},"comment":"=0, schön"}','2026-03-01 12:02:21.000000','2026-03-01 12:02:28.875000',7875.5,'{"pointer":"fine","age_ms":20}','2026-03-01 12:02:30.000000');
INSERT INTO "answers" VALUES(20,2,'quality-p2',0,'p-again3-4','{"ratings":{"clarity":4,"fluency":10},"comment":"=1, schön"}','2026-03-01 12:02:31.000000','2026-03-01 12:02:38.875000',7875.5,'{"pointer":"fine","age_ms":20}','2026-03-01 12:02:40.000000');
INSERT INTO "answers" VALUES(21,2,'quality-p2',1,'p-again3-5','{"ratings":{"clarity":5,"fluency":55},"comment":"=101, schön"}','2026-03-01 12:02:41.000000','2026-03-01 12:02:48.875000',7875.5,'{"pointer":"fine","age_ms":20}','2026-03-01 12:02:50.000000');
INSERT INTO "answers" VALUES(22,2,'quality-1',0,'p-again3-6','{"ratings":{"clarity":5,"fluency":20},"comment":"=2, schön"}','2026-03-01 12:02:51.000000','2026-03-01 12:02:58.875000',7875.5,'{"pointer":"fine","age_ms":20}','2026-03-01 12:03:00.000000');
INSERT INTO "answers" VALUES(23,2,'quality-1',-1,'p-again3-7','{"ratings":{"clarity":6,"fluency":66},"comment":"=202, schön"}','2026-03-01 12:03:01.000000','2026-03-01 12:03:08.875000',7875.5,'{"pointer":"fine","age_ms":20}','2026-03-01 12:03:10.000000');
INSERT INTO "answers" VALUES(24,2,'quality-2',0,'p-again3-8','{"ratings":{"clarity":6,"fluency":30},"comment":"=3, schön"}','2026-03-01 12:03:11.000000','2026-03-01 12:03:18.875000',7875.5,'{"pointer":"fine","age_ms":20}','2026-03-01 12:03:20.000000');
INSERT INTO "answers" VALUES(25,2,'quality-3',0,'p-again3-9','{"ratings":{"clarity":7,"fluency":40},"comment":"=4, schön"}','2026-03-01 12:03:21.000000','2026-03-01 12:03:28.875000',7875.5,'{"pointer":"fine","age_ms":20}','2026-03-01 12:03:30.000000');
INSERT INTO "answers" VALUES(26,2,'quality-4',0,'p-again3-10','{"ratings":{"clarity":1,"fluency":50},"comment":"=5, schön"}','2026-03-01 12:03:31.000000','2026-03-01 12:03:38.875000',7875.5,'{"pointer":"fine","age_ms":20}','2026-03-01 12:03:40.000000');
INSERT INTO "answers" VALUES(27,2,'quality-5',0,'p-again3-11','{"ratings":{"clarity":2,"fluency":60},"comment":"=6, schön"}','2026-03-01 12:03:41.000000','2026-03-01 12:03:48.875000',7875.5,'{"pointer":"fine","age_ms":20}','2026-03-01 12:03:50.000000');
INSERT INTO "answers" VALUES(28,2,'quality-6',0,'p-again3-12','{"ratings":{"clarity":3,"fluency":70},"comment":"=7, schön"}','2026-03-01 12:03:51.000000','2026-03-01 12:03:58.875000',7875.5,'{"pointer":"fine","age_ms":20}','2026-03-01 12:04:00.000000');
INSERT INTO "answers" VALUES(29,2,'quality-7',0,'p-again3-13','{"ratings":{"clarity":4,"fluency":80},"comment":"=8, schön"}','2026-03-01 12:04:01.000000','2026-03-01 12:04:08.875000',7875.5,'{"pointer":"fine","age_ms":20}','2026-03-01 12:04:10.000000');
INSERT INTO "answers" VALUES(30,2,'quality-8',0,'p-again3-14','{"ratings":{"clarity":5,"fluency":90},"comment":"=9, schön"}','2026-03-01 12:04:11.000000','2026-03-01 12:04:18.875000',7875.5,'{"pointer":"fine","age_ms":20}','2026-03-01 12:04:20.000000');
INSERT INTO "answers" VALUES(31,3,'consent',0,'p-unfit4-0','{"agreed":true}',NULL,'2026-03-01 12:02:58.875000',NULL,'{"pointer":"fine","age_ms":20}','2026-03-01 12:03:00.000000');
INSERT INTO "answers" VALUES(32,3,'questionnaire',0,'p-unfit4-1','{"native":"yes","age":33,"job":"Gärtnerin, \"frei\"","email":{"hash":"00000000000000000000000000000003","plausible":true,"elsewhere":[]}}','2026-03-01 12:03:01.000000','2026-03-01 12:03:08.875000',7875.5,'{"pointer":"fine","age_ms":20}','2026-03-01 12:03:10.000000');
INSERT INTO "answers" VALUES(33,3,'questionnaire',1,'p-unfit4-2','{"native":"yes","age":34,"job":"Gärtnerin, \"frei\"","email":{"hash":"00000000000000000000000000000003","plausible":true,"elsewhere":[]}}','2026-03-01 12:03:11.000000','2026-03-01 12:03:18.875000',7875.5,'{"pointer":"fine","age_ms":20}','2026-03-01 12:03:20.000000');
INSERT INTO "answers" VALUES(34,3,'quality-p1',0,'p-unfit4-3','{"ratings":{"clarity":4,"fluency":0},"comment":"=0, schön"}','2026-03-01 12:03:21.000000','2026-03-01 12:03:28.875000',7875.5,'{"pointer":"fine","age_ms":20}','2026-03-01 12:03:30.000000');
INSERT INTO "answers" VALUES(35,3,'quality-p2',0,'p-unfit4-4','{"ratings":{"clarity":5,"fluency":10},"comment":"=1, schön"}','2026-03-01 12:03:31.000000','2026-03-01 12:03:38.875000',7875.5,'{"pointer":"fine","age_ms":20}','2026-03-01 12:03:40.000000');
INSERT INTO "answers" VALUES(36,3,'quality-p2',1,'p-unfit4-5','{"ratings":{"clarity":5,"fluency":55},"comment":"=101, schön"}','2026-03-01 12:03:41.000000','2026-03-01 12:03:48.875000',7875.5,'{"pointer":"fine","age_ms":20}','2026-03-01 12:03:50.000000');
INSERT INTO "answers" VALUES(37,3,'quality-1',0,'p-unfit4-6','{"ratings":{"clarity":6,"fluency":20},"comment":"=2, schön"}','2026-03-01 12:03:51.000000','2026-03-01 12:03:58.875000',7875.5,'{"pointer":"fine","age_ms":20}','2026-03-01 12:04:00.000000');
INSERT INTO "answers" VALUES(38,3,'quality-1',-1,'p-unfit4-7','{"ratings":{"clarity":6,"fluency":66},"comment":"=202, schön"}','2026-03-01 12:04:01.000000','2026-03-01 12:04:08.875000',7875.5,'{"pointer":"fine","age_ms":20}','2026-03-01 12:04:10.000000');
INSERT INTO "answers" VALUES(39,3,'quality-2',0,'p-unfit4-8','{"ratings":{"clarity":7,"fluency":30},"comment":"=3, schön"}','2026-03-01 12:04:11.000000','2026-03-01 12:04:18.875000',7875.5,'{"pointer":"fine","age_ms":20}','2026-03-01 12:04:20.000000');
INSERT INTO "answers" VALUES(40,3,'quality-3',0,'p-unfit4-9','{"ratings":{"clarity":1,"fluency":40},"comment":"=4, schön"}','2026-03-01 12:04:21.000000','2026-03-01 12:04:28.875000',7875.5,'{"pointer":"fine","age_ms":20}','2026-03-01 12:04:30.000000');
INSERT INTO "answers" VALUES(41,3,'quality-4',0,'p-unfit4-10','{"ratings":{"clarity":2,"fluency":50},"comment":"=5, schön"}','2026-03-01 12:04:31.000000','2026-03-01 12:04:38.875000',7875.5,'{"pointer":"fine","age_ms":20}','2026-03-01 12:04:40.000000');
INSERT INTO "answers" VALUES(42,3,'quality-5',0,'p-unfit4-11','{"ratings":{"clarity":3,"fluency":60},"comment":"=6, schön"}','2026-03-01 12:04:41.000000','2026-03-01 12:04:48.875000',7875.5,'{"pointer":"fine","age_ms":20}','2026-03-01 12:04:50.000000');
INSERT INTO "answers" VALUES(43,3,'quality-6',0,'p-unfit4-12','{"ratings":{"clarity":4,"fluency":70},"comment":"=7, schön"}','2026-03-01 12:04:51.000000','2026-03-01 12:04:58.875000',7875.5,'{"pointer":"fine","age_ms":20}','2026-03-01 12:05:00.000000');
INSERT INTO "answers" VALUES(44,3,'quality-7',0,'p-unfit4-13','{"ratings":{"clarity":5,"fluency":80},"comment":"=8, schön"}','2026-03-01 12:05:01.000000','2026-03-01 12:05:08.875000',7875.5,'{"pointer":"fine","age_ms":20}','2026-03-01 12:05:10.000000');
INSERT INTO "answers" VALUES(45,3,'quality-8',0,'p-unfit4-14','{"ratings":{"clarity":6,"fluency":90},"comment":"=9, schön"}','2026-03-01 12:05:11.000000','2026-03-01 12:05:18.875000',7875.5,'{"pointer":"fine","age_ms":20}','2026-03-01 12:05:20.000000');
INSERT INTO "answers" VALUES(46,4,'consent',0,'p-under5-0','{"agreed":true}',NULL,'2026-03-01 12:03:58.875000',NULL,'{"pointer":"fine","age_ms":20}','2026-03-01 12:04:00.000000');
INSERT INTO "answers" VALUES(47,4,'questionnaire',0,'p-under5-1','{"native":"yes","age":33,"job":"Gärtnerin, \"frei\"","email":{"hash":"00000000000000000000000000000004","plausible":true,"elsewhere":[]}}','2026-03-01 12:04:01.000000','2026-03-01 12:04:08.875000',7875.5,'{"pointer":"fine","age_ms":20}','2026-03-01 12:04:10.000000');
INSERT INTO "answers" VALUES(48,4,'questionnaire',1,'p-under5-2','{"native":"yes","age":34,"job":"Gärtnerin, \"frei\"","email":{"hash":"00000000000000000000000000000004","plausible":true,"elsewhere":[]}}','2026-03-01 12:04:11.000000','2026-03-01 12:04:18.875000',7875.5,'{"pointer":"fine","age_ms":20}','2026-03-01 12:04:20.000000');
INSERT INTO "answers" VALUES(49,4,'quality-p1',0,'p-under5-3','{"ratings":{"clarity":5,"fluency":0},"comment":"=0, schön"}','2026-03-01 12:04:21.000000','2026-03-01 12:04:28.875000',7875.5,'{"pointer":"fine","age_ms":20}','2026-03-01 12:04:30.000000');
INSERT INTO "answers" VALUES(50,4,'quality-p2',0,'p-under5-4','{"ratings":{"clarity":6,"fluency":10},"comment":"=1, schön"}','2026-03-01 12:04:31.000000','2026-03-01 12:04:38.875000',7875.5,'{"pointer":"fine","age_ms":20}','2026-03-01 12:04:40.000000');
INSERT INTO "answers" VALUES(51,4,'quality-p2',1,'p-under5-5','{"ratings":{"clarity":5,"fluency":55},"comment":"=101, schön"}','2026-03-01 12:04:41.000000','2026-03-01 12:04:48.875000',7875.5,'{"pointer":"fine","age_ms":20}','2026-03-01 12:04:50.000000');
INSERT INTO "answers" VALUES(52,4,'quality-1',0,'p-under5-6','{"ratings":{"clarity":7,"fluency":20},"comment":"=2, schön"}','2026-03-01 12:04:51.000000','2026-03-01 12:04:58.875000',7875.5,'{"pointer":"fine","age_ms":20}','2026-03-01 12:05:00.000000');
INSERT INTO "answers" VALUES(53,4,'quality-1',-1,'p-under5-7','{"ratings":{"clarity":6,"fluency":66},"comment":"=202, schön"}','2026-03-01 12:05:01.000000','2026-03-01 12:05:08.875000',7875.5,'{"pointer":"fine","age_ms":20}','2026-03-01 12:05:10.000000');
INSERT INTO "answers" VALUES(54,4,'quality-2',0,'p-under5-8','{"ratings":{"clarity":1,"fluency":30},"comment":"=3, schön"}','2026-03-01 12:05:11.000000','2026-03-01 12:05:18.875000',7875.5,'{"pointer":"fine","age_ms":20}','2026-03-01 12:05:20.000000');
INSERT INTO "answers" VALUES(55,5,'consent',0,'p-leave6-0','{"agreed":true}',NULL,'2026-03-01 12:04:58.875000',NULL,'{"pointer":"fine","age_ms":20}','2026-03-01 12:05:00.000000');
INSERT INTO "answers" VALUES(56,5,'questionnaire',0,'p-leave6-1','{"native":"yes","age":33,"job":"Gärtnerin, \"frei\"","email":{"hash":"00000000000000000000000000000005","plausible":true,"elsewhere":[]}}','2026-03-01 12:05:01.000000','2026-03-01 12:05:08.875000',7875.5,'{"pointer":"fine","age_ms":20}','2026-03-01 12:05:10.000000');
INSERT INTO "answers" VALUES(57,5,'questionnaire',1,'p-leave6-2','{"native":"yes","age":34,"job":"Gärtnerin, \"frei\"","email":{"hash":"00000000000000000000000000000005","plausible":true,"elsewhere":[]}}','2026-03-01 12:05:11.000000','2026-03-01 12:05:18.875000',7875.5,'{"pointer":"fine","age_ms":20}','2026-03-01 12:05:20.000000');
INSERT INTO "answers" VALUES(58,6,'consent',0,'p-bared7-0','{"agreed":true}',NULL,'2026-03-01 12:05:58.875000',NULL,'{"pointer":"fine","age_ms":20}','2026-03-01 12:06:00.000000');
INSERT INTO "answers" VALUES(59,6,'questionnaire',0,'p-bared7-1','{"native":"no","age":33,"job":"Gärtnerin, \"frei\"","email":{"hash":"00000000000000000000000000000006","plausible":true,"elsewhere":[]}}','2026-03-01 12:06:01.000000','2026-03-01 12:06:08.875000',7875.5,'{"pointer":"fine","age_ms":20}','2026-03-01 12:06:10.000000');
INSERT INTO "answers" VALUES(60,6,'questionnaire',1,'p-bared7-2','{"native":"no","age":34,"job":"Gärtnerin, \"frei\"","email":{"hash":"00000000000000000000000000000006","plausible":true,"elsewhere":[]}}','2026-03-01 12:06:11.000000','2026-03-01 12:06:18.875000',7875.5,'{"pointer":"fine","age_ms":20}','2026-03-01 12:06:20.000000');
INSERT INTO "answers" VALUES(61,7,'consent',0,'p-robot8-0','{"agreed":true}',NULL,'2026-03-01 12:06:58.875000',NULL,'{"simulated":true}','2026-03-01 12:07:00.000000');
INSERT INTO "answers" VALUES(62,7,'questionnaire',0,'p-robot8-1','{"native":"yes","age":33,"job":"Gärtnerin, \"frei\"","email":{"hash":"00000000000000000000000000000007","plausible":true,"elsewhere":[]}}','2026-03-01 12:07:01.000000','2026-03-01 12:07:08.875000',7875.5,'{"simulated":true}','2026-03-01 12:07:10.000000');
INSERT INTO "answers" VALUES(63,7,'questionnaire',1,'p-robot8-2','{"native":"yes","age":34,"job":"Gärtnerin, \"frei\"","email":{"hash":"00000000000000000000000000000007","plausible":true,"elsewhere":[]}}','2026-03-01 12:07:11.000000','2026-03-01 12:07:18.875000',7875.5,'{"simulated":true}','2026-03-01 12:07:20.000000');
INSERT INTO "answers" VALUES(64,7,'quality-p1',0,'p-robot8-3','{"ratings":{"clarity":1,"fluency":0},"comment":"=0, schön"}','2026-03-01 12:07:21.000000','2026-03-01 12:07:28.875000',7875.5,'{"simulated":true}','2026-03-01 12:07:30.000000');
INSERT INTO "answers" VALUES(65,7,'quality-p2',0,'p-robot8-4','{"ratings":{"clarity":2,"fluency":10},"comment":"=1, schön"}','2026-03-01 12:07:31.000000','2026-03-01 12:07:38.875000',7875.5,'{"simulated":true}','2026-03-01 12:07:40.000000');
INSERT INTO "answers" VALUES(66,7,'quality-p2',1,'p-robot8-5','{"ratings":{"clarity":5,"fluency":55},"comment":"=101, schön"}','2026-03-01 12:07:41.000000','2026-03-01 12:07:48.875000',7875.5,'{"simulated":true}','2026-03-01 12:07:50.000000');
INSERT INTO "answers" VALUES(67,7,'quality-1',0,'p-robot8-6','{"ratings":{"clarity":3,"fluency":20},"comment":"=2, schön"}','2026-03-01 12:07:51.000000','2026-03-01 12:07:58.875000',7875.5,'{"simulated":true}','2026-03-01 12:08:00.000000');
INSERT INTO "answers" VALUES(68,7,'quality-1',-1,'p-robot8-7','{"ratings":{"clarity":6,"fluency":66},"comment":"=202, schön"}','2026-03-01 12:08:01.000000','2026-03-01 12:08:08.875000',7875.5,'{"simulated":true}','2026-03-01 12:08:10.000000');
INSERT INTO "answers" VALUES(69,7,'quality-2',0,'p-robot8-8','{"ratings":{"clarity":4,"fluency":30},"comment":"=3, schön"}','2026-03-01 12:08:11.000000','2026-03-01 12:08:18.875000',7875.5,'{"simulated":true}','2026-03-01 12:08:20.000000');
INSERT INTO "answers" VALUES(70,7,'quality-3',0,'p-robot8-9','{"ratings":{"clarity":5,"fluency":40},"comment":"=4, schön"}','2026-03-01 12:08:21.000000','2026-03-01 12:08:28.875000',7875.5,'{"simulated":true}','2026-03-01 12:08:30.000000');
INSERT INTO "answers" VALUES(71,7,'quality-4',0,'p-robot8-10','{"ratings":{"clarity":6,"fluency":50},"comment":"=5, schön"}','2026-03-01 12:08:31.000000','2026-03-01 12:08:38.875000',7875.5,'{"simulated":true}','2026-03-01 12:08:40.000000');
INSERT INTO "answers" VALUES(72,7,'quality-5',0,'p-robot8-11','{"ratings":{"clarity":7,"fluency":60},"comment":"=6, schön"}','2026-03-01 12:08:41.000000','2026-03-01 12:08:48.875000',7875.5,'{"simulated":true}','2026-03-01 12:08:50.000000');
INSERT INTO "answers" VALUES(73,7,'quality-6',0,'p-robot8-12','{"ratings":{"clarity":1,"fluency":70},"comment":"=7, schön"}','2026-03-01 12:08:51.000000','2026-03-01 12:08:58.875000',7875.5,'{"simulated":true}','2026-03-01 12:09:00.000000');
INSERT INTO "answers" VALUES(74,7,'quality-7',0,'p-robot8-13','{"ratings":{"clarity":2,"fluency":80},"comment":"=8, schön"}','2026-03-01 12:09:01.000000','2026-03-01 12:09:08.875000',7875.5,'{"simulated":true}','2026-03-01 12:09:10.000000');
INSERT INTO "answers" VALUES(75,7,'quality-8',0,'p-robot8-14','{"ratings":{"clarity":3,"fluency":90},"comment":"=9, schön"}','2026-03-01 12:09:11.000000','2026-03-01 12:09:18.875000',7875.5,'{"simulated":true}','2026-03-01 12:09:20.000000');
CREATE TABLE invitations (
	name TEXT NOT NULL, 
	cohort TEXT NOT NULL, 
	token_hash TEXT NOT NULL, 
	created_at DATETIME NOT NULL, 
	CONSTRAINT pk_invitations PRIMARY KEY (name), 
	CONSTRAINT uq_invitations_token_hash UNIQUE (token_hash)
);
INSERT INTO "invitations" VALUES('Ada Lovelace','','0000000000000000000000000000000000000000000000000000000000000004','2026-03-01 12:00:00.000000');
INSERT INTO "invitations" VALUES('Grace Hopper','','0000000000000000000000000000000000000000000000000000000000000000','2026-03-01 12:00:00.000000');
CREATE TABLE openings (
	participant_id INTEGER NOT NULL, 
	page TEXT NOT NULL, 
	opened_at DATETIME NOT NULL, 
	CONSTRAINT pk_openings PRIMARY KEY (participant_id, page), 
	CONSTRAINT fk_openings_participant_id FOREIGN KEY(participant_id) REFERENCES participants (id)
);
INSERT INTO "openings" VALUES(1,'consent','2026-03-01 12:00:50.500000');
INSERT INTO "openings" VALUES(1,'questionnaire','2026-03-01 12:01:00.500000');
INSERT INTO "openings" VALUES(1,'quality-p1','2026-03-01 12:01:20.500000');
INSERT INTO "openings" VALUES(1,'quality-p2','2026-03-01 12:01:30.500000');
INSERT INTO "openings" VALUES(1,'quality-1','2026-03-01 12:01:50.500000');
INSERT INTO "openings" VALUES(1,'quality-2','2026-03-01 12:02:10.500000');
INSERT INTO "openings" VALUES(1,'quality-3','2026-03-01 12:02:20.500000');
INSERT INTO "openings" VALUES(1,'quality-4','2026-03-01 12:02:30.500000');
INSERT INTO "openings" VALUES(1,'quality-5','2026-03-01 12:02:40.500000');
INSERT INTO "openings" VALUES(1,'quality-6','2026-03-01 12:02:50.500000');
INSERT INTO "openings" VALUES(1,'quality-7','2026-03-01 12:03:00.500000');
INSERT INTO "openings" VALUES(1,'quality-8','2026-03-01 12:03:10.500000');
INSERT INTO "openings" VALUES(1,'quality-unseen','2026-03-01 12:00:00.000000');
INSERT INTO "openings" VALUES(2,'consent','2026-03-01 12:01:50.500000');
INSERT INTO "openings" VALUES(2,'questionnaire','2026-03-01 12:02:00.500000');
INSERT INTO "openings" VALUES(2,'quality-p1','2026-03-01 12:02:20.500000');
INSERT INTO "openings" VALUES(2,'quality-p2','2026-03-01 12:02:30.500000');
INSERT INTO "openings" VALUES(2,'quality-1','2026-03-01 12:02:50.500000');
INSERT INTO "openings" VALUES(2,'quality-2','2026-03-01 12:03:10.500000');
INSERT INTO "openings" VALUES(2,'quality-3','2026-03-01 12:03:20.500000');
INSERT INTO "openings" VALUES(2,'quality-4','2026-03-01 12:03:30.500000');
INSERT INTO "openings" VALUES(2,'quality-5','2026-03-01 12:03:40.500000');
INSERT INTO "openings" VALUES(2,'quality-6','2026-03-01 12:03:50.500000');
INSERT INTO "openings" VALUES(2,'quality-7','2026-03-01 12:04:00.500000');
INSERT INTO "openings" VALUES(2,'quality-8','2026-03-01 12:04:10.500000');
INSERT INTO "openings" VALUES(2,'quality-unseen','2026-03-01 12:00:00.000000');
INSERT INTO "openings" VALUES(3,'consent','2026-03-01 12:02:50.500000');
INSERT INTO "openings" VALUES(3,'questionnaire','2026-03-01 12:03:00.500000');
INSERT INTO "openings" VALUES(3,'quality-p1','2026-03-01 12:03:20.500000');
INSERT INTO "openings" VALUES(3,'quality-p2','2026-03-01 12:03:30.500000');
INSERT INTO "openings" VALUES(3,'quality-1','2026-03-01 12:03:50.500000');
INSERT INTO "openings" VALUES(3,'quality-2','2026-03-01 12:04:10.500000');
INSERT INTO "openings" VALUES(3,'quality-3','2026-03-01 12:04:20.500000');
INSERT INTO "openings" VALUES(3,'quality-4','2026-03-01 12:04:30.500000');
INSERT INTO "openings" VALUES(3,'quality-5','2026-03-01 12:04:40.500000');
INSERT INTO "openings" VALUES(3,'quality-6','2026-03-01 12:04:50.500000');
INSERT INTO "openings" VALUES(3,'quality-7','2026-03-01 12:05:00.500000');
INSERT INTO "openings" VALUES(3,'quality-8','2026-03-01 12:05:10.500000');
INSERT INTO "openings" VALUES(3,'quality-unseen','2026-03-01 12:00:00.000000');
INSERT INTO "openings" VALUES(4,'consent','2026-03-01 12:03:50.500000');
INSERT INTO "openings" VALUES(4,'questionnaire','2026-03-01 12:04:00.500000');
INSERT INTO "openings" VALUES(4,'quality-p1','2026-03-01 12:04:20.500000');
INSERT INTO "openings" VALUES(4,'quality-p2','2026-03-01 12:04:30.500000');
INSERT INTO "openings" VALUES(4,'quality-1','2026-03-01 12:04:50.500000');
INSERT INTO "openings" VALUES(4,'quality-2','2026-03-01 12:05:10.500000');
INSERT INTO "openings" VALUES(4,'quality-unseen','2026-03-01 12:00:00.000000');
INSERT INTO "openings" VALUES(5,'consent','2026-03-01 12:04:50.500000');
INSERT INTO "openings" VALUES(5,'questionnaire','2026-03-01 12:05:00.500000');
INSERT INTO "openings" VALUES(5,'quality-unseen','2026-03-01 12:00:00.000000');
INSERT INTO "openings" VALUES(6,'consent','2026-03-01 12:05:50.500000');
INSERT INTO "openings" VALUES(6,'questionnaire','2026-03-01 12:06:00.500000');
INSERT INTO "openings" VALUES(6,'quality-unseen','2026-03-01 12:00:00.000000');
INSERT INTO "openings" VALUES(7,'consent','2026-03-01 12:06:50.500000');
INSERT INTO "openings" VALUES(7,'questionnaire','2026-03-01 12:07:00.500000');
INSERT INTO "openings" VALUES(7,'quality-p1','2026-03-01 12:07:20.500000');
INSERT INTO "openings" VALUES(7,'quality-p2','2026-03-01 12:07:30.500000');
INSERT INTO "openings" VALUES(7,'quality-1','2026-03-01 12:07:50.500000');
INSERT INTO "openings" VALUES(7,'quality-2','2026-03-01 12:08:10.500000');
INSERT INTO "openings" VALUES(7,'quality-3','2026-03-01 12:08:20.500000');
INSERT INTO "openings" VALUES(7,'quality-4','2026-03-01 12:08:30.500000');
INSERT INTO "openings" VALUES(7,'quality-5','2026-03-01 12:08:40.500000');
INSERT INTO "openings" VALUES(7,'quality-6','2026-03-01 12:08:50.500000');
INSERT INTO "openings" VALUES(7,'quality-7','2026-03-01 12:09:00.500000');
INSERT INTO "openings" VALUES(7,'quality-8','2026-03-01 12:09:10.500000');
INSERT INTO "openings" VALUES(7,'quality-unseen','2026-03-01 12:00:00.000000');
CREATE TABLE participants (
	id INTEGER NOT NULL, 
	code TEXT NOT NULL, 
	token_hash TEXT NOT NULL, 
	cohort TEXT NOT NULL, 
	slot INTEGER NOT NULL, 
	status TEXT NOT NULL, 
	valid BOOLEAN NOT NULL, 
	started_at DATETIME NOT NULL, 
	last_seen_at DATETIME NOT NULL, 
	completed_at DATETIME, 
	external_id TEXT, platform_study TEXT, platform_session TEXT, platform_return TEXT, simulated BOOLEAN DEFAULT 0 NOT NULL, 
	CONSTRAINT pk_participants PRIMARY KEY (id), 
	CONSTRAINT uq_participants_code UNIQUE (code), 
	CONSTRAINT uq_participants_token_hash UNIQUE (token_hash)
);
INSERT INTO "participants" VALUES(1,'p-first2','0000000000000000000000000000000000000000000000000000000000000001','',1,'completed',1,'2026-03-01 12:01:00.000000','2026-03-01 12:06:00.000250','2026-03-01 12:10:00.000000','5f3c','the-hit','session-1','https://platform.example/submit',0);
INSERT INTO "participants" VALUES(2,'p-again3','0000000000000000000000000000000000000000000000000000000000000002','',1,'completed',1,'2026-03-01 12:02:00.000000','2026-03-01 12:07:00.000250','2026-03-01 12:20:00.000000','77aa','the-hit','session-2','https://platform.example/submit',0);
INSERT INTO "participants" VALUES(3,'p-unfit4','0000000000000000000000000000000000000000000000000000000000000003','',2,'completed',0,'2026-03-01 12:03:00.000000','2026-03-01 12:08:00.000250','2026-03-01 12:30:00.000000',NULL,NULL,NULL,NULL,0);
INSERT INTO "participants" VALUES(4,'p-under5','0000000000000000000000000000000000000000000000000000000000000004','',3,'active',1,'2026-03-01 12:04:00.000000','2026-03-01 12:09:00.000250',NULL,'Ada Lovelace','the-hit','session-4','https://platform.example/submit',0);
INSERT INTO "participants" VALUES(5,'p-leave6','0000000000000000000000000000000000000000000000000000000000000005','',4,'withdrawn',1,'2026-03-01 12:05:00.000000','2026-03-01 12:10:00.000250',NULL,NULL,NULL,NULL,NULL,0);
INSERT INTO "participants" VALUES(6,'p-bared7','0000000000000000000000000000000000000000000000000000000000000006','',5,'excluded',1,'2026-03-01 12:06:00.000000','2026-03-01 12:11:00.000250',NULL,'9b1d','the-hit','session-6','https://platform.example/submit',0);
INSERT INTO "participants" VALUES(7,'p-robot8','0000000000000000000000000000000000000000000000000000000000000007','',6,'completed',1,'2026-03-01 12:07:00.000000','2026-03-01 12:12:00.000250','2026-03-01 12:40:00.000000',NULL,NULL,NULL,NULL,1);
INSERT INTO "participants" VALUES(8,'p-empty9','0000000000000000000000000000000000000000000000000000000000000008','',2,'active',1,'2026-03-01 12:08:00.000000','2026-03-01 12:13:00.000250',NULL,NULL,NULL,NULL,NULL,0);
CREATE TABLE secrets (
	name TEXT NOT NULL, 
	value TEXT NOT NULL, 
	CONSTRAINT pk_secrets PRIMARY KEY (name)
);
INSERT INTO "secrets" VALUES('join','secret-of-join');
INSERT INTO "secrets" VALUES('board','secret-of-board');
INSERT INTO "secrets" VALUES('email','secret-of-email');
INSERT INTO "secrets" VALUES('invited','secret-of-invited');
INSERT INTO "secrets" VALUES('platform','secret-of-platform');
INSERT INTO "secrets" VALUES('media','secret-of-media');
CREATE TABLE settings (
	name TEXT NOT NULL, 
	value TEXT NOT NULL, 
	CONSTRAINT pk_settings PRIMARY KEY (name)
);
INSERT INTO "settings" VALUES('recruiting-paused','true');
CREATE INDEX ix_participants_cohort_slot ON participants (cohort, slot);
CREATE INDEX ix_participants_slot ON participants (slot);
COMMIT;
